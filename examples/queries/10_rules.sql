-- Whose rules work? Hooks of traits and cards, and in how many games each came to bear.
select source, name, count(*) as times, count(distinct game) as games
from 'events.parquet' where what = 'hook' group by all order by games desc, times desc;
