-- Up Migration

-- The frame index: the tables that a build or an import of frames makes, and that every read of frames uses.
-- Units are joined by name, not by foreign keys: these tables are made together, from the same rows, and change
-- together.

create extension if not exists postgis;

-- node-pg-migrate makes this table before the first migration.
comment on table migration is 'Migrations that were applied to this database. node-pg-migrate keeps it.';
comment on column migration.id is 'Number of the migration, in the order in which they were applied.';
comment on column migration.name is 'Name of the file in migrations/, without .sql.';
comment on column migration.run_on is 'Instant at which it was applied, in the time zone of the session.';
comment on index migration_pkey is 'Migrations by number.';
comment on sequence migration_id_seq is 'Numbers migrations.';

create table frame (
  frame_id bigint constraint frame_id_not_negative check (frame_id >= 0),
  geom geometry(Geometry, 4326) not null
    constraint polygon_or_multipolygon check (GeometryType(geom) in ('POLYGON', 'MULTIPOLYGON')),
  geojson text not null generated always as (ST_AsGeoJSON(geom, 7)) stored,
  bbox text not null generated always as (
    '[' || ST_XMin(geom)::text || ',' || ST_YMin(geom)::text || ',' || ST_XMax(geom)::text || ',' || ST_YMax(geom)::text || ']'
  ) stored,
  state text,
  state_code text,
  lga text,
  lga_code text,
  ward text,
  ward_code text,
  zone text,
  zone_code text,
  -- Stored, since PostgreSQL takes 7 microseconds to work out the area of a frame.
  area_km2 numeric not null generated always as (round((ST_Area(geom::geography) / 1e6)::numeric, 6)) stored,
  constraint frame_pkey primary key (frame_id),
  constraint state_and_lga_together check ((state is null) = (lga is null)),
  constraint ward_within_lga check (ward is null or lga is not null)
);
create index frame_geom_idx on frame using gist (geom);
-- Schema analyst shows every frame as a MultiPolygon, since a layer of QGIS has one type. PostgreSQL uses an index for
-- a box there only if the index has the expression of the view.
create index frame_multipolygon_idx on frame using gist ((ST_Multi(geom)::geometry(MultiPolygon, 4326)));
create index frame_state_frame_id_idx on frame (state, frame_id);
create index frame_state_lga_frame_id_idx on frame (state, lga, frame_id);
create index frame_state_lga_ward_frame_id_idx on frame (state, lga, ward, frame_id);
comment on table frame is 'One cell of the national grid, about 0.01 degrees across. Rows lie in Hilbert order of geom.';
comment on column frame.frame_id is 'row * 36000 + col of the cell''s south-west corner, or the id an imported grid came with.';
comment on column frame.geom is 'Cell outline, WGS 84, valid, counterclockwise, on a 1e-7 degree lattice; MultiPolygon where a boundary cuts the cell.';
comment on column frame.geojson is 'GeoJSON text of geom: the bytes that the API sends.';
comment on column frame.bbox is 'JSON text of [minLon,minLat,maxLon,maxLat]: the bytes that the API sends.';
comment on column frame.state is 'State name as fold_name gives it; null where no unit is assigned.';
comment on column frame.state_code is 'Code of the state, where recorded.';
comment on column frame.lga is 'Local government area, as fold_name gives it.';
comment on column frame.lga_code is 'Code of the local government area, where recorded.';
comment on column frame.ward is 'Ward, as fold_name gives it; null where wards are not recorded.';
comment on column frame.ward_code is 'Code of the ward, where recorded.';
comment on column frame.zone is 'Zone the state lies in, where recorded.';
comment on column frame.zone_code is 'Code of the zone, where recorded.';
comment on column frame.area_km2 is 'Area in square kilometres, on the ellipsoid, to the square metre.';
comment on constraint frame_id_not_negative on frame is 'A frame id is not negative.';
comment on constraint polygon_or_multipolygon on frame is 'A cell is a polygon, or a multipolygon where a boundary cuts it.';
comment on constraint state_and_lga_together on frame is 'A frame has both a state and a local government area, or neither.';
comment on constraint ward_within_lga on frame is 'A frame with a ward has a local government area.';
comment on index frame_pkey is 'Frames by id.';
comment on index frame_geom_idx is 'Frames at a point and in a box.';
comment on index frame_multipolygon_idx is 'Frames in a box, as schema analyst shows them.';
comment on index frame_state_frame_id_idx is 'Pages of a state, in frame order.';
comment on index frame_state_lga_frame_id_idx is 'Pages of a local government area, in frame order.';
comment on index frame_state_lga_ward_frame_id_idx is 'Pages of a ward, in frame order.';

create table frame_run (
  first_id bigint constraint frame_run_pkey primary key,
  last_id bigint not null,
  extent geometry(Geometry, 4326) not null,
  constraint run_in_order check (first_id <= last_id)
);
comment on table frame_run is
  'Frames in id order, 256 to a run, each run with its extent. The query of a large box walks runs to find its lowest ids.';
comment on column frame_run.first_id is 'Lowest frame id of the run.';
comment on column frame_run.last_id is 'Highest frame id of the run.';
comment on column frame_run.extent is 'Rectangle around the frames of the run.';
comment on constraint run_in_order on frame_run is 'The first id of a run is not above its last.';
comment on index frame_run_pkey is 'Runs in id order.';

create table state (
  state text constraint state_pkey primary key,
  state_code text,
  zone text,
  zone_code text,
  frames bigint not null
);
comment on table state is 'States that hold frames, counted when the index was made.';
comment on column state.state is 'State name as fold_name gives it.';
comment on column state.state_code is 'Code, where recorded.';
comment on column state.zone is 'Zone the state lies in, where recorded.';
comment on column state.zone_code is 'Code of the zone, where recorded.';
comment on column state.frames is 'Frames in the state.';
comment on index state_pkey is 'States by name.';

create table lga (
  state text,
  lga text,
  lga_code text,
  frames bigint not null,
  constraint lga_pkey primary key (state, lga)
);
comment on table lga is 'Local government areas that hold frames, counted when the index was made.';
comment on column lga.state is 'State the area lies in.';
comment on column lga.lga is 'Name of the area, as fold_name gives it.';
comment on column lga.lga_code is 'Code, where recorded.';
comment on column lga.frames is 'Frames in the area.';
comment on index lga_pkey is 'Areas by state and name.';

create table ward (
  state text,
  lga text,
  ward text,
  ward_code text,
  frames bigint not null,
  constraint ward_pkey primary key (state, lga, ward)
);
comment on table ward is 'Wards that hold frames, counted when the index was made.';
comment on column ward.state is 'State the ward lies in.';
comment on column ward.lga is 'Local government area the ward lies in.';
comment on column ward.ward is 'Name of the ward, as fold_name gives it.';
comment on column ward.ward_code is 'Code, where recorded.';
comment on column ward.frames is 'Frames in the ward.';
comment on index ward_pkey is 'Wards by state, area and name.';

create table unit_area (
  unit_id bigint constraint unit_area_pkey primary key,
  state text not null,
  lga text,
  ward text,
  geom geometry(MultiPolygon, 4326) not null,
  -- Stored, since PostgreSQL takes up to 0.1 s to work out the area of a state.
  area_km2 numeric not null generated always as (round((ST_Area(geom::geography) / 1e6)::numeric, 6)) stored,
  constraint unit_area_once unique nulls not distinct (state, lga, ward),
  constraint area_within_lga check (ward is null or lga is not null)
);
create index unit_area_geom_idx on unit_area using gist (geom);
comment on table unit_area is 'The land of each unit: the union of its frames, made with the index.';
comment on column unit_area.unit_id is 'Units in the order of their names, from 1. A unit may have another number in the next index.';
comment on column unit_area.state is 'The state.';
comment on column unit_area.lga is 'The local government area; null for the land of a state.';
comment on column unit_area.ward is 'The ward; null for the land of a state or of an area.';
comment on column unit_area.geom is 'The union of the frames.';
comment on column unit_area.area_km2 is 'Area in square kilometres, on the ellipsoid, to the square metre.';
comment on constraint area_within_lga on unit_area is 'Land of a ward names its local government area.';
comment on index unit_area_pkey is 'Units by number.';
comment on index unit_area_once is 'The land of a unit.';
comment on index unit_area_geom_idx is 'Units in a box.';

create table index_generation (
  only_row boolean default true constraint index_generation_pkey primary key constraint one_row check (only_row),
  generation bigint not null,
  frames bigint not null,
  source text not null,
  switched_at timestamptz not null
);
insert into index_generation values (true, 0, 0, 'empty', clock_timestamp());
comment on table index_generation is 'The index that is served: one row, which changes in the transaction that puts a new index in place.';
comment on column index_generation.only_row is 'Always true: the table has one row.';
comment on column index_generation.generation is 'Grows by one with each new index; part of every ETag.';
comment on column index_generation.frames is 'Frames in the index.';
comment on column index_generation.source is 'The source that the index was made from.';
comment on column index_generation.switched_at is 'Instant at which it was put in place.';
comment on constraint one_row on index_generation is 'The table has one row.';
comment on index index_generation_pkey is 'The one row.';
