-- Do they win who draw a card? Beware: who draws more of all cards wins more, too (see docs/lab.md).
with drawn as (
  select distinct game, to_seat as seat, card from 'moves.parquet' where to_seat > 0 and "to" = 'hand'
)
select card, count(*) as seats, round(avg(won), 3) as won
from drawn join 'seats.parquet' using (game, seat) group by card order by won desc;
