-- Do players who draw a card win more often? Beware: players who draw more cards in general also win more (see docs/lab.md).
with drawn as (
  select distinct game, to_seat as seat, card from 'moves.parquet' where to_seat > 0 and "to" = 'hand'
)
select card, count(*) as seats, round(avg(won), 3) as won
from drawn join 'seats.parquet' using (game, seat) group by card order by won desc;
