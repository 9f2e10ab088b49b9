-- How often does each seat pass, although another option is possible?
select seat, count(*) filter (action = 'pass') as passes, count(*) as decisions,
       round(count(*) filter (action = 'pass') / count(*), 3) as share
from 'decisions.parquet' group by seat order by seat;
