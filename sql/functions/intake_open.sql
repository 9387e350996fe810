-- intake_open: makes schema staging anew, with tables for the rows of a dataset as its file has them.
-- An import of a dataset calls it.
create or replace function intake_open() returns void
  language plpgsql set client_min_messages = warning as $$
begin
  perform staging_close();
  create schema staging;
  create unlogged table staging.baseline_source (line bigint not null, frame_id bigint not null, recorded text not null);
  create unlogged table staging.interval_source (frame_id bigint not null, attribute text not null, lower numeric, upper numeric, draws numeric[]);
  create unlogged table staging.feature_source (
    number bigint not null, line bigint not null, feature_id text not null, geom geometry(Geometry, 4326) not null, properties text not null
  );
end $$;
comment on function intake_open() is 'Makes schema staging anew, with tables for the rows of a dataset as a file has them.';
revoke execute on function intake_open from public;
