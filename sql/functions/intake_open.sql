-- intake_open: makes schema staging anew, with tables for the rows of a dataset as its file has them.
-- An import of a dataset calls it.
create or replace function intake_open() returns void
  language plpgsql set client_min_messages = warning as $$
begin
  perform staging_close();
  create schema staging;
  create unlogged table staging.baseline_source (line bigint not null, frame_id bigint not null, recorded text not null, numbers numeric[]);
  create unlogged table staging.interval_source (frame_id bigint not null, attribute text not null, lower numeric, upper numeric, draws numeric[]);
  create unlogged table staging.feature_source (
    number bigint not null, line bigint not null, feature_id text not null, geom geometry(Geometry, 4326) not null, properties text not null
  );
  create unlogged table staging.shape_part (number bigint not null, of_shape float8 not null, geom geometry(Geometry, 6933) not null);
  create index on staging.shape_part using gist (geom);
  create unlogged table staging.unit_source (line bigint primary key, state text, lga text, ward text);
  create unlogged table staging.unit_frame (frame_id bigint primary key, line bigint not null, before float8 not null, upto float8 not null);
  create unlogged table staging.raster_frame (window_number int, frame_id bigint, shape geometry not null, primary key (window_number, frame_id));
end $$;
comment on function intake_open() is 'Makes schema staging anew, with tables for the rows of a dataset as a file has them.';
revoke execute on function intake_open from public;
