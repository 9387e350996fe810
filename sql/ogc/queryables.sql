-- queryables: the attributes of a baseline in their order, or the properties that the features of a dataset commonly have.
--   $1 layer  text
-- index: attribute_pkey
-- budget: buffers <= 60, rows read <= 4000
-- example: 'lyr_population'
-- null: unit
-- kind: type number|category
select name as name, label as label, unit as unit, type as type, place as place
from attribute
where layer_id = $1::text
union all
select name as name, name as label, null as unit, type as type, 0 as place
from property
where layer_id = $1::text
order by place, name
