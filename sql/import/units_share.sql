-- units_share: shares each staged unit out among its frames; counts the units whose frames have no weight: these share evenly.
--   $1 weight     text  evenly, area, or attribute
--   $2 layer      text  the dataset of the attribute
--   $3 attribute  text
-- example: 'area', '', ''
with weighed as (  -- the frames of the units
  select frame.frame_id, source.line,
    case $1::text when 'evenly' then 1 when 'area' then frame.area_km2::float8 else greatest(plain_number(recorded ->> $3::text)::float8, 0) end as weight
  from staging.unit_source as source
  join frame on frame.state = source.state and (source.lga is null or frame.lga = source.lga) and (source.ward is null or frame.ward = source.ward)
  left join dataset on dataset.layer_id = $2::text
  left join baseline_row on baseline_row.version = dataset.version and baseline_row.frame_id = frame.frame_id
), evened as (  -- a unit without any weight shares evenly
  select frame_id, line, case when sum(weight) over (partition by line) > 0 then coalesce(weight, 0) else 1 end as weight from weighed
), shared as (  -- the parts up to each frame of a unit, and before it, from 0 to 1
  insert into staging.unit_frame (frame_id, line, before, upto)
  select frame_id, line, (sum(weight) over so_far - weight) / sum(weight) over (partition by line),
    case when row_number() over so_far = count(*) over (partition by line) then 1 else sum(weight) over so_far / sum(weight) over (partition by line) end
  from evened
  window so_far as (partition by line order by frame_id)
)
select count(*)::int as units
from (select from weighed group by line having coalesce(sum(weight), 0) = 0) as unweighted
