-- classes_of_dataset: the distinct values of a dataset's categories, the most frequent first, and its properties.
--   $1 layer  text
--   $2 most   int   values of each category at the most
-- budget: buffers <= 200, rows read <= 20000
-- example: 'lyr_schools', 12
-- Reads the whole table, which is small.
-- A property that is a number has a row without a value. An import keeps no values of a category of over 200.
-- null: recorded, value, items
with ranked as (  -- one row for each value, with its place among those of its category
  select name, value, items, row_number() over (partition by name order by items desc, value collate "C") as place,
    count(*) over (partition by name) as classes
  from class
  where layer_id = $1::text
)
select
  coalesce(ranked.name, property.name) as name, property.items::float8 as recorded, ranked.value as value,
  ranked.items::float8 as items, coalesce(ranked.classes, 0)::int as classes
from ranked
full join (select name, items from property where layer_id = $1::text) as property on property.name = ranked.name
where ranked.place is null or ranked.place <= $2::int
order by coalesce(ranked.name, property.name) collate "C", ranked.place
