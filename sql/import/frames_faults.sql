-- frames_faults: the first ten features that cannot be frames, each with its reason; no row when all can.
with doubled as (  -- the features of each id, numbered
  select number, line, 'id ' || frame_id || ' was given already, by feature '
    || first_value(number) over same || ' on line ' || first_value(line) over same as reason,
    row_number() over same as place
  from staging.frame_source
  window same as (partition by frame_id order by number)
), misshapen as (  -- features without a usable shape
  select number, line,
    case
      when ST_IsEmpty(geom) then 'its geometry is empty'
      when not ST_IsValid(geom) then 'its geometry is not valid: ' || ST_IsValidReason(geom)
      else 'its geometry has no area left at 7 decimals'
    end as reason
  from staging.frame_source
  where ST_IsEmpty(geom) or not ST_IsValid(geom)
    -- rounding takes 23 microseconds, and moves no edge by 1e-6 degrees: only thin shapes can vanish
    or ST_Area(geom) <= ST_Perimeter(geom) * 1e-6 and ST_IsEmpty(ST_CollectionExtract(ST_ReducePrecision(geom, 1e-7), 3))
)
select number as number, line as line, reason as reason
from (
  select number, line, reason from doubled where place > 1
  union all
  select number, line, reason from misshapen
) as fault
order by number
limit 10
