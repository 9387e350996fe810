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
comment on table dataset is 'What is known of the country: a baseline (one row a frame) or features.';
comment on column dataset.layer_id is 'lyr_ and a name: what callers know it by.';
comment on column dataset.org_id is 'The organisation that owns it, which reads it without licence or charge.';
comment on column dataset.name is 'Name for people.';
comment on column dataset.category is 'Category for people, such as Population.';
comment on column dataset.kind is 'frames: a baseline; points, lines, polygons: features.';
comment on column dataset.vintage is 'The time it tells of, where recorded.';
comment on column dataset.description is 'What it is, in words, where recorded.';
comment on column dataset.synonyms is 'Other words that people use for it.';
comment on column dataset.version is 'Which rows are being served; a new number with each import.';
comment on column dataset.items is 'Rows or features it has, counted at import.';
comment on column dataset.imported_at is 'When those rows were put in place.';
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
comment on table licence is 'Who may read a dataset of another. An organisation''s own licence goes before one for everyone.';
comment on column licence.layer_id is 'The dataset.';
comment on column licence.org_id is 'Who may read it; null for everyone.';
comment on column licence.price is 'Whole credits for each call it contributes to; null where reading is free.';
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
comment on column attribute.summary is 'sum; mean; weighted_mean, by weight; mode, the commonest; none, where no one value says anything of several frames.';
comment on column attribute.weight is 'area, or the attribute of the same dataset that weights the mean.';
comment on column attribute.description is 'What it says, in words, where recorded.';
comment on column attribute.synonyms is 'Other words that people use for it.';
comment on column attribute.method is 'How its values were made, such as modelled estimate, where recorded.';
comment on index attribute_pkey is 'Attributes of a dataset by name.';

create table baseline_row (
  version bigint,
  frame_id bigint,
  recorded json not null,
  constraint baseline_row_pkey primary key (version, frame_id)
);
comment on table baseline_row is 'What a baseline records on a frame. The view "baseline" has it by dataset.';
comment on column baseline_row.version is 'The import it came with: dataset.version.';
comment on column baseline_row.frame_id is 'The frame.';
comment on column baseline_row.recorded is 'Attribute names and their values, strings exactly as stored; the bytes the API sends.';
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
-- As frame_multipolygon_idx of table frame: one for each type of layer.
create index feature_points_idx on feature using gist ((ST_Multi(geom)::geometry(MultiPoint, 4326)))
  where GeometryType(geom) in ('POINT', 'MULTIPOINT');
create index feature_lines_idx on feature using gist ((ST_Multi(geom)::geometry(MultiLineString, 4326)))
  where GeometryType(geom) in ('LINESTRING', 'MULTILINESTRING');
create index feature_polygons_idx on feature using gist ((ST_Multi(geom)::geometry(MultiPolygon, 4326)))
  where GeometryType(geom) in ('POLYGON', 'MULTIPOLYGON');
comment on table feature is 'A point, line or polygon of a feature dataset.';
comment on column feature.version is 'The import it came with: dataset.version.';
comment on column feature.feature_no is 'Its place in the order of feature ids, from 1.';
comment on column feature.feature_id is 'Its id, as it came.';
comment on column feature.geom is 'Its shape, WGS 84.';
comment on column feature.geojson is 'geom as GeoJSON text, the bytes the API sends.';
comment on column feature.properties is 'Its properties as they came, the bytes the API sends.';
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
comment on table feature_frame is 'The features that intersect each frame: worked out at import of either, and part of the frame index.';
comment on column feature_frame.version is 'The import of the features.';
comment on column feature_frame.frame_id is 'The frame.';
comment on column feature_frame.feature_no is 'The feature.';
comment on index feature_frame_pkey is 'The features of a frame, in order.';
comment on index feature_frame_feature_idx is 'The frames of a feature, in order.';

create view baseline as
select dataset.layer_id, baseline_row.frame_id, baseline_row.recorded
from dataset
join baseline_row using (version);
comment on view baseline is 'What each baseline records on each frame: join frame on frame_id, read recorded ->> ''attribute''.';
comment on column baseline.layer_id is 'The dataset.';
comment on column baseline.frame_id is 'The frame.';
comment on column baseline.recorded is 'Attribute names and their values.';
