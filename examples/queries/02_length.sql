-- How long are games? The shortest, median and longest game.
select min(decisions) as shortest, median(decisions) as usual, max(decisions) as longest,
       round(avg(forced), 1) as unasked, round(avg(rounds), 1) as rounds
from 'games.parquet';
