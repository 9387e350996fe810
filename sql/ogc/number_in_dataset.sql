-- number_in_dataset: how many items a dataset has, as counted at its import; null where that may differ from the items shown.
--   $1 layer  text
-- index: attribute_pkey, unit_total_pkey
-- budget: buffers <= 200, rows read <= 300
-- example: 'lyr_population'
-- A new index may lack frames of a baseline, whose rows stay. None is lacking where an attribute is recorded on as many
-- frames as there are rows.
-- null: number
select case
    when dataset.kind <> 'frames' or dataset.items = (
      select max(kept.recorded)
      from attribute
      join unit_total as kept on kept.version = dataset.version and kept.attribute = attribute.name and kept.unit_id = 0
      where attribute.layer_id = dataset.layer_id
    ) then dataset.items
  end::int as number
from dataset
where dataset.layer_id = $1::text
