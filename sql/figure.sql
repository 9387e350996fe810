-- figure: a figure, or the arithmetic of two, in each group, and the first groups.
--   $1 figure  text  JSON: type Figure of src/core/figures/algebra.ts
-- budget: buffers <= 300, rows read <= 100
-- at worst: buffers <= 100000, rows read <= 10000
-- example: '{"of": {"things": "lyr_schools", "place": ["unit"]}, "by": {"level": "lga"}}'
-- Reads no table.
-- "value" is exact; shown, number, other and difference are rounded.
-- null: class, name, number, other, difference, value, shown, classes
-- json: classes { value: string; things: number }[]
select
  path as path, class as class, name as name, things as things, recorded as recorded, number as number, other as other, other_recorded as "otherRecorded",
  trim_scale(value)::text as value, difference as difference, shown as shown, place as place, tied as tied, groups as groups, with_value as "withValue",
  passing as passing, among_first as "amongFirst", classes as classes
from figured($1::text::jsonb)
