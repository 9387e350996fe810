-- Up Migration

-- A box on the map is added up by whole blocks of 0.1 degrees and by the frames around them. Means, commonest classes
-- and numbers of features of blocks do not add up, so the index also keeps the parts that do.

alter table unit add column km2 numeric;
comment on column unit.km2 is 'Land of the frames of a block, in km²; null for other units, whose land unit_area has.';

alter table unit_total add column total numeric;
alter table unit_total add column weight numeric;
comment on column unit_total.total is
  'For a mean, the sum of the numbers; for a weighted mean, of the numbers times their weights; null for other totals.';
comment on column unit_total.weight is 'What divides it: the frames with a number, or the sum of the weights; null for other totals.';

create table block_class (
  version bigint,
  attribute text,
  unit_id bigint,
  class text,
  frames bigint not null,
  constraint block_class_pkey primary key (version, attribute, unit_id, class)
);
comment on table block_class is 'The classes of each attribute with a commonest class over the frames of each block, as table class has them.';
comment on column block_class.version is 'The import of the dataset: dataset.version.';
comment on column block_class.attribute is 'The attribute.';
comment on column block_class.unit_id is 'The block.';
comment on column block_class.class is 'The class.';
comment on column block_class.frames is 'Frames that have it.';
comment on index block_class_pkey is 'The classes of an attribute, over blocks.';

create table block_feature (
  version bigint,
  unit_id bigint,
  feature_no bigint,
  constraint block_feature_pkey primary key (version, unit_id, feature_no)
);
comment on table block_feature is 'The features that lie on frames of several blocks, so that an area of blocks counts each once.';
comment on column block_feature.version is 'The import of the dataset: dataset.version.';
comment on column block_feature.unit_id is 'A block that has the feature on one of its frames.';
comment on column block_feature.feature_no is 'The feature.';
comment on index block_feature_pkey is 'The features of blocks that lie in other blocks too.';
