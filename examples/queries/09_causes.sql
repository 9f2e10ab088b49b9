-- Which events cause which other events? Pairs of a cause and an event, with their number.
select cause.name as cause, event.name as event, count(*) as times
from 'events.parquet' event join 'events.parquet' cause
  on event.game = cause.game and event.cause = cause.event
where event.name is not null and cause.name is not null
group by all order by times desc limit 30;
