-- staging_switch: puts the staged index in place of the index being served, and returns its generation.
--   source  what the index was made from
-- It needs the tables for an instant: call it with a short lock_timeout, and again if it fails.
create or replace function staging_switch(source text) returns bigint
  language plpgsql set client_min_messages = warning as $$
declare
  t text;
  -- Counting 75 million frames takes a minute, and each attempt would count them again.
  total bigint := coalesce((select frames from staging.unit where level = 'country'), 0);
  now_serving bigint;
begin
  -- Analysts wait for this, and callers do not: their tables are not locked yet.
  perform analyst_views_follow('staging');
  lock table public.unit_area, public.unit, public.frame_unit, public.frame_order, public.value_array, public.unit_total, public.block_class, public.block_feature, public.attribute_spread, public.unit_interval, public.frame, public.frame_run, public.ward, public.lga, public.state in access exclusive mode;
  foreach t in array index_tables() loop
    execute format('drop table public.%I', t);
    execute format('alter table staging.%I set schema public', t);
  end loop;
  -- The staged dataset gets the version that was served until now: staging_close removes its rows.
  with renewed as (  -- the distances that the new frames have, each with its version until now
    update public.dataset set version = staged.version, items = staged.items, imported_at = clock_timestamp()
    from staging.dataset as staged, public.dataset as before
    where staged.layer_id = dataset.layer_id and before.layer_id = dataset.layer_id and staged.version <> before.version
    returning dataset.layer_id, before.version
  )
  update staging.dataset as staged set version = renewed.version from renewed where renewed.layer_id = staged.layer_id;
  update public.attribute set repeats = staged.repeats, shared = staged.shared
  from staging.attribute as staged
  where staged.layer_id = attribute.layer_id and staged.name = attribute.name and staged.shared is distinct from attribute.shared;
  delete from public.class where layer_id in (select layer_id from staging.dataset where kind = 'frames');
  insert into public.class select class.* from staging.class join staging.dataset using (layer_id) where kind = 'frames';
  update index_generation
  set generation = generation + 1, frames = total, source = staging_switch.source, switched_at = clock_timestamp()
  returning generation into now_serving;
  return now_serving;
end $$;
comment on function staging_switch(text) is
  'Puts the staged index in place of the one being served and returns its generation. Needs the tables for an instant: call it with a short lock_timeout and again if it fails.';
revoke execute on function staging_switch from public;
