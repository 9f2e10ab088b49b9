-- Which actions do players take, and how often do the players who take each action win?
select d.action, count(*) as taken, round(avg(s.won), 3) as won_by_who_took_it
from 'decisions.parquet' d join 'seats.parquet' s using (game, seat)
where d.kind = 'offer' group by d.action order by taken desc;
