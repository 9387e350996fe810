-- baseline_faults: the first ten staged rows that cannot be kept, each with its reason; no row when all can.
--   $1 weights  text[]  attributes that weight an average
-- example: '{mkt_households}'
-- A weight of 0 is kept: such a frame counts in no weighted average. A negative one would turn the average round.
with doubled as (  -- the rows of each frame, numbered
  select line, 'frame ' || frame_id || ' was given already, on line ' || first_value(line) over same as reason,
    row_number() over same as place
  from staging.baseline_source
  window same as (partition by frame_id order by line)
), unknown as (  -- rows of frames that the index does not have
  select line, 'the index knows no frame ' || frame_id as reason
  from staging.baseline_source as source
  where not exists (select from frame where frame.frame_id = source.frame_id)
), negative as (  -- rows with a negative weight
  select line, name || ' weights an average, so a number of zero or more is needed, and ' || (recorded::json ->> name) || ' came' as reason
  from staging.baseline_source
  cross join unnest($1::text[]) as weight (name)
  where plain_number(recorded::json ->> name) < 0
)
select line as line, reason as reason
from (
  select line, reason from doubled where place > 1
  union all
  select line, reason from unknown
  union all
  select line, reason from negative
) as fault
order by line
limit 10
