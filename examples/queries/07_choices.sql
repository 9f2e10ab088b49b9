-- Where do players have many options? The number of options by question and round.
select question, round, count(*) as asked, round(avg(options), 1) as options, max(options) as most
from 'decisions.parquet' group by all order by question, round;
