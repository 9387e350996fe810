-- Up Migration

-- The distance of each frame to the nearest feature of a dataset is a baseline of its own, so that all that reads baselines
-- reads it too: figures, totals, maps, filters, exports and views.

alter table dataset add column distance_to text
  -- squawk-ignore disallowed-unique-constraint
  constraint dataset_distance_to_once unique
  -- squawk-ignore adding-foreign-key-constraint
  constraint dataset_distance_to_fkey references dataset on delete cascade;
comment on column dataset.distance_to is
  'The dataset of features to which a baseline records the distance of each frame; null for other datasets. Who reads the features reads it, at their price.';
comment on index dataset_distance_to_once is 'The distances to a dataset.';
