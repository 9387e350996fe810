-- totals_of_parts: a total over each part of a unit, the highest first.
--   $1 unit       text[]   state, LGA, ward; empty for the index
--   $2 parts      text     state, lga or ward
--   $3 layer      text     frames for the index itself
--   $4 attribute  text     or frame_id
--   $5 above      numeric
--   $6 at_least   numeric
--   $7 below      numeric
--   $8 at_most    numeric
-- index: unit_once, attribute_pkey, unit_total_pkey
-- budget: buffers <= 500 + 5 * rows, rows read <= 20000 + 4 * rows
-- example: '{marembe}', 'lga', 'lyr_population', 'pop_demest26', 0, 0, 9, 9
-- null: path, number, classes
-- json: classes { value: string; frames: number }[]
with asked as materialized (  -- the version of the dataset, its kind, and how the attribute is summarised
  select dataset.version, dataset.kind, attribute.summary
  from dataset
  left join attribute on attribute.layer_id = dataset.layer_id and attribute.name = $4::text
  where dataset.layer_id = $3::text
), part as materialized (  -- the parts of the unit
  select unit_id, frames, coalesce(ward, lga, state) as name, array_remove(array[state, lga, ward], null) as path
  from unit
  where unit.level = $2::text
    and (cardinality($1::text[]) < 1 or unit.state = fold_name(($1::text[])[1]))
    and (cardinality($1::text[]) < 2 or unit.lga = fold_name(($1::text[])[2]))
    and (cardinality($1::text[]) < 3 or unit.ward = fold_name(($1::text[])[3]))
), valued as (  -- each part with its number: a null without a value, 0 without a feature
  select part.*, total.class, total.class_frames,
    case
      when $3::text = 'frames' then part.frames
      when (select kind from asked) <> 'frames' and total.number is null then 0
      when coalesce((select summary from asked), 'sum') = 'sum' and $4::text not in ('km', 'km2') then total.number
      else round(total.number, greatest(2, coalesce(1 - floor(log(nullif(abs(total.number), 0))), 2))::int)
    end as number,
    case when $3::text = 'frames' then part.frames else coalesce(total.recorded, 0) end as recorded
  from part
  left join unit_total as total
    on total.version = (select version from asked) and total.attribute = $4::text and total.unit_id = part.unit_id
)
select
  name as name, path as path, frames::int as frames, recorded::int as recorded, trim_scale(number)::text as number,
  coalesce(number > $5::numeric and number >= $6::numeric and number < $7::numeric and number <= $8::numeric, false) as passes,
  (rank() over (order by number desc nulls last))::int as highest, (rank() over (order by number nulls last))::int as lowest,
  case when class is not null then json_build_array(json_build_object('value', class, 'frames', class_frames)) end as classes
from valued
order by valued.number desc nulls last, valued.path collate "C"
