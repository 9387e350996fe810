-- numbers_kept: the lowest and the highest number of each number attribute of a baseline, and their exact total.
--   $1 layer  text
-- example: 'lyr_population'
-- Totals of units have the total, unless numbers are weighted or no figure is made of them: then their rows are read.
select
  attribute.name as name,
  spread.lowest::text as lowest,
  spread.highest::text as highest,
  trim_scale(case attribute.summary
    when 'sum' then whole.number
    when 'mean' then whole.total
    else (select sum(plain_number(recorded ->> attribute.name)) from baseline_row where baseline_row.version = dataset.version)
  end)::text as total
from dataset
join attribute using (layer_id)
join attribute_spread as spread on spread.version = dataset.version and spread.attribute = attribute.name and spread.level = 'frame'
left join unit_total as whole on whole.version = dataset.version and whole.attribute = attribute.name and whole.unit_id = 0
where dataset.layer_id = $1::text and attribute.type = 'number' and spread.lowest is not null
