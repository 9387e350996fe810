-- Up Migration

-- Totals of datasets over units, and the spread of their values. These tables are part of the frame index: an import of
-- frames makes all of them anew, and an import of a dataset makes its rows.

create table unit (
  unit_id bigint constraint unit_pkey primary key,
  level text not null constraint unit_level_known check (level in ('country', 'state', 'lga', 'ward', 'block')),
  state text,
  lga text,
  ward text,
  block bigint,
  frames bigint not null,
  within bigint[] not null,
  constraint names_fit_level check (
    (state is not null) = (level in ('state', 'lga', 'ward'))
    and (lga is not null) = (level in ('lga', 'ward'))
    and (ward is not null) = (level = 'ward')
    and (block is not null) = (level = 'block')
  )
);
-- Nulls of the levels above are blanks in the index, so that one condition finds a unit of any level.
create unique index unit_once
  on unit (level, (coalesce(state, '')), (coalesce(lga, '')), (coalesce(ward, '')), (coalesce(block, -1)));
comment on table unit is 'Units that totals are made for: the country, states, areas, wards and blocks of 0.1 degrees, with their frames.';
comment on column unit.unit_id is
  '0 for the country; unit_area.unit_id for a state, an area or a ward; 10,000,000 and the block for a block.';
comment on column unit.level is 'country, state, lga, ward or block.';
comment on column unit.state is 'The state; null for the country and for a block.';
comment on column unit.lga is 'The local government area; null above it and for a block.';
comment on column unit.ward is 'The ward; null above it and for a block.';
comment on column unit.block is 'Row and column of the block: row * 3600 + column, counted in tenths of a degree from -90 and -180; null for other units.';
comment on column unit.frames is 'Frames in the unit. A frame lies in the block that has the centre of its box.';
comment on column unit.within is 'The unit itself and the units above it, the country first: all that a frame of a ward counts in, besides its block.';
comment on constraint unit_level_known on unit is 'A level is country, state, lga, ward or block.';
comment on constraint names_fit_level on unit is 'A unit has the names of its level and of those above, or the number of its block.';
comment on index unit_pkey is 'Units by number.';
comment on index unit_once is 'A unit by its names or its block; the units of a level.';

create table unit_total (
  version bigint,
  attribute text,
  unit_id bigint,
  number numeric,
  class text,
  class_frames bigint,
  recorded bigint not null,
  constraint unit_total_pkey primary key (version, attribute, unit_id)
);
comment on table unit_total is 'Totals of each attribute over the frames of each unit. A unit in which no frame records the attribute has no row.';
comment on column unit_total.version is 'The import of the dataset: dataset.version.';
comment on column unit_total.attribute is
  'An attribute of a baseline; for features, features (each counted once in a unit), km (of lines) or km2 (of polygons).';
comment on column unit_total.unit_id is 'The unit.';
comment on column unit_total.number is
  'The sum, mean or weighted mean that attribute.summary names, or the features, km or km2; null for mode and none. Lengths and areas are those of the parts inside the frames of the unit.';
comment on column unit_total.class is 'For mode: the commonest of the classes that table class has.';
comment on column unit_total.class_frames is 'Frames that have it.';
comment on column unit_total.recorded is 'Frames that record a value; for features, frames with any.';
comment on index unit_total_pkey is 'The totals of an attribute, over units.';

create table attribute_spread (
  version bigint,
  attribute text,
  level text constraint spread_level_known check (level in ('frame', 'block', 'ward', 'lga', 'state')),
  recorded bigint not null,
  lacking bigint not null,
  sampled bigint not null,
  lowest numeric,
  highest numeric,
  breaks numeric[],
  bins bigint[],
  constraint attribute_spread_pkey primary key (version, attribute, level)
);
comment on table attribute_spread is 'How the values of an attribute spread over frames, and its totals over the units of a level: for legends and the catalogue.';
comment on column attribute_spread.version is 'The import of the dataset: dataset.version.';
comment on column attribute_spread.attribute is 'As in unit_total.';
comment on column attribute_spread.level is 'frame, or the level of the units.';
comment on column attribute_spread.recorded is 'Frames that record a value, or units with a total.';
comment on column attribute_spread.lacking is 'Frames or units of the index without one.';
comment on column attribute_spread.sampled is 'Frames or units that breaks and bins were made from: of many frames, a sample of some 10,000.';
comment on column attribute_spread.lowest is 'Lowest number; null where there is none.';
comment on column attribute_spread.highest is 'Highest number.';
comment on column attribute_spread.breaks is
  'Upper bounds of the lower six of seven classes of as many frames or units each. A number belongs to the first class whose bound it does not exceed; bounds may repeat.';
comment on column attribute_spread.bins is 'Numbers in each of 20 bins of one width between lowest and highest.';
comment on constraint spread_level_known on attribute_spread is 'A level is frame, block, ward, lga or state.';
comment on index attribute_spread_pkey is 'The spread of an attribute.';
