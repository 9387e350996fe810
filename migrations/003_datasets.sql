-- Up Migration

-- Datasets: who may read them, the attributes of baselines, the rows of baselines, and features.

create table dataset (
  layer_id text constraint dataset_pkey primary key constraint layer_id_form check (layer_id ~ '^lyr_\w+$'),
  org_id text not null constraint dataset_org_id_fkey references organisation,
  name text not null constraint dataset_name_not_blank check (btrim(name) <> ''),
  category text not null constraint category_not_blank check (btrim(category) <> ''),
  kind text not null constraint dataset_kind_known check (kind in ('frames', 'points', 'lines', 'polygons')),
  vintage text,
  description text,
  synonyms text[] not null default '{}',
  version bigint not null,
  items bigint not null,
  imported_at timestamptz not null default clock_timestamp(),
  constraint dataset_version_once unique (version)
);
create index dataset_org_id_idx on dataset (org_id);
comment on table dataset is 'Datasets: a baseline has one row for each frame, any other has features.';
comment on column dataset.layer_id is 'lyr_ and a name, which callers use.';
comment on column dataset.org_id is 'The organisation that owns it and reads it without licence or charge.';
comment on column dataset.name is 'Name for people.';
comment on column dataset.category is 'Category for people, such as Population.';
comment on column dataset.kind is 'frames: a baseline; points, lines, polygons: features.';
comment on column dataset.vintage is 'The time that its values describe, where recorded.';
comment on column dataset.description is 'Description for people, where recorded.';
comment on column dataset.synonyms is 'Other words that people use for it.';
comment on column dataset.version is 'Version of the rows that are served. Each import has a new number.';
comment on column dataset.items is 'Rows or features it has, counted at import.';
comment on column dataset.imported_at is 'Instant at which these rows were put in place.';
comment on constraint layer_id_form on dataset is 'A layer id is lyr_ and letters, digits or underscores.';
comment on constraint dataset_name_not_blank on dataset is 'A name is not blank.';
comment on constraint category_not_blank on dataset is 'A category is not blank.';
comment on constraint dataset_kind_known on dataset is 'A kind is frames, points, lines or polygons.';
comment on index dataset_pkey is 'Datasets by id.';
comment on index dataset_org_id_idx is 'Datasets of an owner.';
comment on index dataset_version_once is 'The dataset that rows belong to: no two have one version.';

-- A dump of table dataset holds the state of the sequence, since the column owns it.
create sequence dataset_version owned by dataset.version;
comment on sequence dataset_version is 'Numbers imports of datasets: one number for all rows of one import.';

create table licence (
  layer_id text not null constraint licence_layer_id_fkey references dataset on delete cascade,
  org_id text constraint licence_org_id_fkey references organisation on delete cascade,
  price int constraint price_positive check (price > 0),
  constraint licence_once unique nulls not distinct (layer_id, org_id)
);
create index licence_org_id_idx on licence (org_id);
comment on table licence is 'Licences to read a dataset of another organisation. A licence of the organisation goes before one for everyone.';
comment on column licence.layer_id is 'The dataset.';
comment on column licence.org_id is 'The organisation that may read it; null for everyone.';
comment on column licence.price is 'Whole credits for each call that the dataset contributes to; null where reading is free.';
comment on constraint price_positive on licence is 'A price is a whole number of credits above zero; a free licence has none.';
comment on index licence_once is 'The licences of a dataset, one for each organisation.';
comment on index licence_org_id_idx is 'The licences of an organisation.';

create table attribute (
  layer_id text constraint attribute_layer_id_fkey references dataset on delete cascade,
  name text constraint attribute_name_not_blank check (btrim(name) <> ''),
  place int not null,
  label text not null,
  unit text,
  type text not null constraint attribute_type_known check (type in ('number', 'category')),
  summary text not null constraint summary_known check (summary in ('sum', 'mean', 'weighted_mean', 'mode', 'none')),
  weight text,
  description text,
  synonyms text[] not null default '{}',
  method text,
  constraint attribute_pkey primary key (layer_id, name),
  constraint only_numbers_are_summed check (type = 'number' or summary in ('mode', 'none')),
  constraint weighted_by_something check ((summary = 'weighted_mean') = (weight is not null))
);
comment on table attribute is 'The catalogue: what each attribute of a baseline means and how it is summarised over frames.';
comment on column attribute.layer_id is 'The dataset.';
comment on column attribute.name is 'Its name in the rows.';
comment on column attribute.place is 'Its place among the columns, from 1.';
comment on column attribute.label is 'Its name for people.';
comment on column attribute.unit is 'Unit of its values, where they have one.';
comment on column attribute.type is 'number or category.';
comment on column attribute.summary is 'How several frames are summarised: sum, mean, weighted_mean (by weight), mode (the commonest value), or none.';
comment on column attribute.weight is 'The weight of a weighted mean: area, or an attribute of the same dataset.';
comment on column attribute.description is 'Description for people, where recorded.';
comment on column attribute.synonyms is 'Other words that people use for it.';
comment on column attribute.method is 'How its values were made, such as modelled estimate, where recorded.';
comment on constraint attribute_name_not_blank on attribute is 'A name is not blank.';
comment on constraint attribute_type_known on attribute is 'A type is number or category.';
comment on constraint summary_known on attribute is 'A summary is sum, mean, weighted_mean, mode or none.';
comment on constraint only_numbers_are_summed on attribute is 'A category has mode or none for its summary.';
comment on constraint weighted_by_something on attribute is 'A weighted mean has a weight, and no other summary has one.';
comment on index attribute_pkey is 'Attributes of a dataset by name.';

create table baseline_row (
  version bigint,
  frame_id bigint,
  recorded json not null,
  constraint baseline_row_pkey primary key (version, frame_id)
);
comment on table baseline_row is 'Rows of baselines, one for each frame. View baseline has them by dataset.';
comment on column baseline_row.version is 'The import that added it: dataset.version.';
comment on column baseline_row.frame_id is 'The frame.';
comment on column baseline_row.recorded is 'Attribute names and their values, exactly as the file had them: the bytes that the API sends.';
comment on index baseline_row_pkey is 'The row of a frame; the rows of a dataset.';

create table feature (
  version bigint,
  feature_no int,
  feature_id text not null,
  geom geometry(Geometry, 4326) not null,
  geojson text not null generated always as (ST_AsGeoJSON(geom, 7)) stored,
  properties json not null,
  constraint feature_pkey primary key (version, feature_no)
);
create index feature_geom_idx on feature using gist (geom);
-- One index for each type of layer, for the same reason as frame_multipolygon_idx of table frame.
create index feature_points_idx on feature using gist ((ST_Multi(geom)::geometry(MultiPoint, 4326)))
  where GeometryType(geom) in ('POINT', 'MULTIPOINT');
create index feature_lines_idx on feature using gist ((ST_Multi(geom)::geometry(MultiLineString, 4326)))
  where GeometryType(geom) in ('LINESTRING', 'MULTILINESTRING');
create index feature_polygons_idx on feature using gist ((ST_Multi(geom)::geometry(MultiPolygon, 4326)))
  where GeometryType(geom) in ('POLYGON', 'MULTIPOLYGON');
comment on table feature is 'A point, line or polygon of a feature dataset.';
comment on column feature.version is 'The import that added it: dataset.version.';
comment on column feature.feature_no is 'Its place in the order of feature ids, from 1.';
comment on column feature.feature_id is 'Its id, as the file had it.';
comment on column feature.geom is 'Its shape, WGS 84.';
comment on column feature.geojson is 'GeoJSON text of geom: the bytes that the API sends.';
comment on column feature.properties is 'Its properties as the file had them: the bytes that the API sends.';
comment on index feature_pkey is 'Features in order of their ids.';
comment on index feature_geom_idx is 'Features in a place.';
comment on index feature_points_idx is 'Points in a box, as schema analyst shows them.';
comment on index feature_lines_idx is 'Lines in a box, as schema analyst shows them.';
comment on index feature_polygons_idx is 'Polygons in a box, as schema analyst shows them.';

create table feature_frame (
  version bigint,
  frame_id bigint,
  feature_no int,
  constraint feature_frame_pkey primary key (version, frame_id, feature_no)
);
create index feature_frame_feature_idx on feature_frame (version, feature_no, frame_id);
comment on table feature_frame is 'The features that intersect each frame. Imports of frames and of features make it; it is part of the frame index.';
comment on column feature_frame.version is 'The import of the features.';
comment on column feature_frame.frame_id is 'The frame.';
comment on column feature_frame.feature_no is 'The feature.';
comment on index feature_frame_pkey is 'The features of a frame, in order.';
comment on index feature_frame_feature_idx is 'The frames of a feature, in order.';

create view baseline as
select dataset.layer_id, baseline_row.frame_id, baseline_row.recorded
from dataset
join baseline_row using (version);
comment on view baseline is 'Rows of baselines by dataset: join frame on frame_id, read recorded ->> ''attribute''.';
comment on column baseline.layer_id is 'The dataset.';
comment on column baseline.frame_id is 'The frame.';
comment on column baseline.recorded is 'Attribute names and their values.';
