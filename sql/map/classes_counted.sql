-- classes_counted: the number of different values of each category of some datasets that has any kept.
--   $1 layers  text[]
-- budget: buffers <= 60 + 40 * layers, rows read <= 1000 + 2500 * layers
-- example: '{lyr_terrain,lyr_culture}'
-- Reads the whole table, which is small.
select class.layer_id as layer, class.name as attribute, count(*)::int as classes
from class
where class.layer_id = any($1::text[])
group by class.layer_id, class.name
