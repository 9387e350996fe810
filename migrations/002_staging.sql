-- Up Migration

-- A new index is made beside the one being served, in schema "staging", and put in its place at once.
-- Names of indexes are unique within a schema, so staging.frame carries the very index names of public.frame.

create function index_tables() returns text[]
  language sql immutable parallel safe
  return array['state', 'lga', 'ward', 'frame_run', 'frame'];
comment on function index_tables() is 'The tables that together are the frame index and change together.';

create function staging_open() returns void
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
    and d.refobjid in (select format('public.%I', name)::regclass from unnest(index_tables()) as name);
  if readers is not null then
    raise exception 'these views read the frame index and would be lost with it: %', readers
      using hint = 'Drop them, make the new index, then create them again.';
  end if;
  drop schema if exists staging cascade;
  create schema staging;
  foreach t in array index_tables() loop
    execute format('create table staging.%I (like public.%I including all excluding indexes)', t, t);
  end loop;
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

create function staging_index(t text) returns void
  language plpgsql set maintenance_work_mem = '256MB' as $$
declare
  i record;
  g record;
begin
  for i in
    select x.indexrelid, c.relname as name, pg_get_indexdef(x.indexrelid) as definition,
      pg_get_constraintdef(k.oid) as constraint_definition, obj_description(x.indexrelid, 'pg_class') as comment
    from pg_index x
    join pg_class c on c.oid = x.indexrelid
    left join pg_constraint k on k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x')
    where x.indrelid = format('public.%I', t)::regclass
    order by c.relname
  loop
    if i.constraint_definition is not null then
      execute format('alter table staging.%I add constraint %I %s', t, i.name, i.constraint_definition);
    else
      execute replace(i.definition, format(' ON public.%I ', t), format(' ON staging.%I ', t));
    end if;
    if i.comment is not null then
      execute format('comment on index staging.%I is %L', i.name, i.comment);
    end if;
  end loop;
  execute format('comment on table staging.%I is %L', t, obj_description(format('public.%I', t)::regclass, 'pg_class'));
  for g in
    select a.privilege_type, case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as grantee
    from pg_class c cross join lateral aclexplode(c.relacl) as a
    where c.oid = format('public.%I', t)::regclass and a.grantee <> c.relowner
  loop
    execute format('grant %s on staging.%I to %s', g.privilege_type, t, g.grantee);
  end loop;
  execute format('analyze staging.%I', t);
end $$;
comment on function staging_index(text) is
  'Gives a staged table the indexes, comments and grants of the table being served (your own indexes too), and statistics.';

create function staging_switch(source text) returns bigint
  language plpgsql set client_min_messages = warning as $$
declare
  t text;
  total bigint := (select count(*) from staging.frame);
  now_serving bigint;
begin
  lock table public.frame, public.frame_run, public.ward, public.lga, public.state in access exclusive mode;
  foreach t in array index_tables() loop
    execute format('drop table public.%I', t);
    execute format('alter table staging.%I set schema public', t);
  end loop;
  update index_generation
  set generation = generation + 1, frames = total, source = staging_switch.source, switched_at = clock_timestamp()
  returning generation into now_serving;
  return now_serving;
end $$;
comment on function staging_switch(text) is
  'Puts the staged index in place of the one being served and returns its generation. Needs the tables for an instant: call it with a short lock_timeout and again if it fails.';

create function staging_close() returns void
  language plpgsql set client_min_messages = warning as $$
begin
  drop schema if exists staging cascade;
end $$;
comment on function staging_close() is 'Removes schema staging with all that is left in it.';
