-- legend_of_attribute: how an attribute spreads over frames, and its totals over the units of each level; its classes.
--   $1 layer      text
--   $2 attribute  text  as in attribute_spread
-- budget: buffers <= 60, rows read <= 600
-- example: 'lyr_population', 'pop_demest26'
-- Reads the whole table, which is small.
-- Bins are those of function spread_bin. Breaks are the upper bounds of the lower six of seven classes. A category has the same classes on every level.
-- null: lowest, highest
-- kind: level frame|ward|lga|state
with chosen as materialized (  -- the version of the dataset that is served
  select version from dataset where layer_id = $1::text
)
select
  spread.level as level,
  spread.recorded::int as recorded,
  spread.lacking::int as lacking,
  trim_scale(spread.lowest)::text as lowest,
  trim_scale(spread.highest)::text as highest,
  coalesce(array(select trim_scale(bound)::text from unnest(spread.breaks) with ordinality as bounds (bound, place) order by place), '{}') as breaks,
  coalesce(spread.bins::float8[], '{}') as bins,
  array(
    select class.value from class
    where class.layer_id = $1::text and class.name = spread.attribute
    order by class.value collate "C"
  ) as classes
from attribute_spread as spread
where spread.version = (select version from chosen) and spread.attribute = $2::text and spread.level <> 'block'
