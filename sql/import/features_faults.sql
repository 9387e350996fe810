-- features_faults: the first ten features that cannot be kept, each with its reason; no row when all can.
with doubled as (  -- the features of each id, numbered
  select number, line, 'id "' || feature_id || '" was given already, by feature '
    || first_value(number) over same || ' on line ' || first_value(line) over same as reason,
    row_number() over same as place
  from staging.feature_source
  window same as (partition by feature_id order by number)
), misshapen as (  -- features without a usable shape
  select number, line,
    case
      when ST_IsEmpty(geom) then 'its geometry is empty'
      else 'its geometry is not valid: ' || ST_IsValidReason(geom)
    end as reason
  from staging.feature_source
  where ST_IsEmpty(geom) or not ST_IsValid(geom)
)
select number as number, line as line, reason as reason
from (
  select number, line, reason from doubled where place > 1
  union all
  select number, line, reason from misshapen
) as fault
order by number
limit 10
