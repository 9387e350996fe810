-- distances_entry: the entry of the catalogue for the distances to the features of a dataset, as dataset_serve takes it.
--   $1 layer  text  dataset id
-- example: 'lyr_schools'
select json_build_object(
  'layerId', layer_id || '_distance', 'orgId', org_id, 'name', 'Distance to ' || name, 'category', category, 'kind', 'frames',
  'vintage', vintage, 'distanceTo', layer_id, 'synonyms', array[]::text[],
  'description', 'The straight line from the middle of each frame to the nearest feature of ' || name || '.',
  'attributes', json_build_array(
    json_build_object(
      'name', substr(layer_id, 5) || '_km', 'label', 'Straight-line distance to ' || name, 'unit', 'km', 'type', 'number',
      'summary', 'mean', 'method', 'straight line from the middle of the frame', 'synonyms', array[]::text[]
    ),
    json_build_object(
      'name', substr(layer_id, 5) || '_band', 'label', 'Band of straight-line distance to ' || name, 'type', 'category',
      'summary', 'mode', 'method', 'straight line from the middle of the frame', 'synonyms', array[]::text[]
    )
  )
)::text as entry
from dataset
where layer_id = $1::text
