-- staging_open: makes schema staging anew, with copies of the index tables, without rows, and tables for the sources.
-- A build or an import of frames makes the new index there, beside the index being served.
create or replace function staging_open() returns void
  language plpgsql set client_min_messages = warning as $$
declare
  t text;
  readers text;
begin
  select string_agg(distinct format('%I.%I', n.nspname, c.relname), ', ') into readers
  from pg_depend d
  join pg_rewrite r on r.oid = d.objid and d.classid = 'pg_rewrite'::regclass
  join pg_class c on c.oid = r.ev_class
  join pg_namespace n on n.oid = c.relnamespace
  where d.refclassid = 'pg_class'::regclass
    and d.refobjid in (select format('public.%I', name)::regclass from unnest(index_tables()) as name)
    and not (n.nspname = 'analyst' and (c.relname in ('frame', 'state', 'lga', 'ward', 'feature_frame', 'state_totals', 'lga_totals', 'ward_totals')
      or c.relname in (select analyst_name(layer_id) from dataset)));
  if readers is not null then
    raise exception 'these views read the frame index and would be lost with it: %', readers
      using hint = 'Drop them, make the new index, then create them again; views over those of schema analyst may stay.';
  end if;
  perform staging_close();
  create schema staging;
  foreach t in array index_tables() loop
    execute format('create table staging.%I (like public.%I including all excluding indexes)', t, t);
  end loop;
  -- Distances to features change with the frames: they get versions of their own there.
  create table staging.dataset as select * from public.dataset;
  -- Other units may share their names there.
  create table staging.attribute as select * from public.attribute;
  create table staging.class as select * from public.class;
  create unlogged table staging.outline_source (geom geometry(Geometry, 4326) not null);
  create unlogged table staging.ward_source (
    number bigint primary key,
    state text, state_code text, lga text, lga_code text, ward text, ward_code text, zone text, zone_code text,
    geom geometry(Geometry, 4326) not null
  );
  create unlogged table staging.frame_source (
    number bigint, line bigint, frame_id bigint,
    state text, state_code text, lga text, lga_code text, ward text, ward_code text, zone text, zone_code text,
    geom geometry(Geometry, 4326)
  );
end $$;
comment on function staging_open() is 'Makes schema staging anew: empty copies of the index tables without their indexes, and tables for the sources.';
revoke execute on function staging_open from public;
