-- How often does each seat win, and with how many points?
select seat, count(*) as games, round(avg(won), 3) as won, round(avg(points), 1) as points
from 'seats.parquet' group by seat order by seat;
