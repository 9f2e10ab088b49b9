-- Where do cards go? For each card, the mean number of moves from one zone to another per game.
select card, "from", "to", round(count(*) / (select count(*) from 'games.parquet'), 2) as times_a_game
from 'moves.parquet' group by all having "from" <> 'box' order by card, times_a_game desc;
