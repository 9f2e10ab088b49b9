-- How close are games? The difference in points between the best player and the second.
with ranked as (
  select game, points, row_number() over (partition by game order by points desc) as place from 'seats.parquet'
)
select b.points - a.points as behind, count(*) as games
from ranked a join ranked b using (game) where a.place = 2 and b.place = 1 group by behind order by behind;
