-- totals_keep: keeps the totals of a dataset over units, and the spread of its values over frames and over units.
--   layer  the dataset
-- Reads the rows of its version, unit and frame_unit. Makes the rows of that version in unit_total, block_class,
-- block_feature, unit_interval and attribute_spread anew: totals_of_baseline and intervals_keep, or totals_of_features, then
-- spread_keep.
-- An import calls it in the transaction that serves the rows. A new index calls it for every dataset in schema staging:
-- names without a schema then mean the staged frames and units.
-- The planner expects few rows of a version that its statistics lack, and would let one process read them all: where there
-- are many, the last four settings let it use the workers that max_parallel_workers_per_gather allows.
create or replace function totals_keep(layer text) returns void
  language plpgsql set client_min_messages = warning set work_mem = '128MB' set jit = off set enable_mergejoin = off set enable_memoize = off
  set parallel_setup_cost = 1000 set parallel_tuple_cost = 0.1 set min_parallel_table_scan_size = '8MB' set min_parallel_index_scan_size = '512kB' as $$
declare
  served dataset;
  records bigint;
begin
  select * into served from dataset where layer_id = layer;
  -- To start workers costs each statement some 20 ms: a dataset on few frames is added up sooner without them.
  select case when served.kind = 'frames' then served.items else (select count(*) from feature_frame where version = served.version) end
    into records;
  if records >= 10000 then
    perform set_config(name, '0', true)
    from unnest(array['parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size', 'min_parallel_index_scan_size']) as name;
  end if;
  delete from unit_total where version = served.version;
  delete from block_class where version = served.version;
  delete from block_feature where version = served.version;
  delete from attribute_spread where version = served.version;
  if served.kind = 'frames' then
    perform totals_of_baseline(layer, served.version);
    perform intervals_keep(served.version);
  else
    perform totals_of_features(served.version, served.kind);
  end if;
  perform spread_keep(served.version);
end $$;
comment on function totals_keep(text) is
  'Keeps the totals of a dataset over units, and the spread of its values, as tables unit_total and attribute_spread have them.';
revoke execute on function totals_keep from public;
