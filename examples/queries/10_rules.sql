-- Which traits' and cards' rules take effect? Each hook, with the number of games in which it ran.
select source, name, count(*) as times, count(distinct game) as games
from 'events.parquet' where what = 'hook' group by all order by games desc, times desc;
