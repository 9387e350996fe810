-- totals_keep: keeps the values of a dataset as arrays, its totals over units, and the spread of its values.
--   layer  the dataset
-- Reads the rows of its version, unit and frame_unit. Makes the rows of that version in unit_total, block_class,
-- block_feature, unit_interval and attribute_spread anew, as totals_made and unit_interval_rows define them.
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
  -- The planner expects one row of a version that its statistics lack, and then compares each pair with each unit:
  -- 200,000 points took over 7 minutes instead of 2 seconds.
  if served.kind <> 'frames' then
    analyze feature (version);
    analyze feature_frame (version, feature_no);
  end if;
  perform pairs_keep(layer);
  perform arrays_keep(layer);
  delete from unit_total where version = served.version;
  delete from block_class where version = served.version;
  delete from block_feature where version = served.version;
  delete from attribute_spread where version = served.version;
  delete from unit_interval where version = served.version;
  create temporary table total_made on commit drop as select * from totals_made(layer, null);
  insert into unit_total (version, attribute, unit_id, number, class, class_frames, recorded, total, weight)
  select served.version, attribute, unit_id, number, classes[1], class_frames[1], recorded, total, weight
  from total_made
  where recorded > 0
  order by attribute collate "C", unit_id;
  insert into block_class (version, attribute, unit_id, class, frames)
  select served.version, made.attribute, made.unit_id, kept.class, kept.frames
  from total_made as made
  join unit using (unit_id)
  cross join lateral unnest(made.classes, made.class_frames) as kept (class, frames)
  where unit.level = 'block'
  order by made.attribute collate "C", made.unit_id, kept.class collate "C";
  insert into block_feature (version, unit_id, feature_no)
  with pair as materialized (  -- one row for each feature and block
    select distinct feature_no, block_id from feature_frame join frame_unit using (frame_id) where version = served.version
  )
  select served.version, block_id, feature_no
  from pair
  join (select feature_no from pair group by feature_no having count(*) > 1) as wide using (feature_no)
  order by 2, 3;
  perform spread_enter(served.version, attribute, 'frame', recorded, lowest, highest, numbers) from total_made where unit_id = 0;
  drop table total_made;
  insert into unit_interval (version, attribute, unit_id, lower, upper, draws)
  select version, attribute, unit_id, lower, upper, draws from unit_interval_rows(served.version, null);
  perform spread_keep(served.version);
end $$;
comment on function totals_keep(text) is
  'Keeps the arrays of a dataset, its totals over units, and the spread of its values, as tables value_array, unit_total and attribute_spread have them.';
revoke execute on function totals_keep from public;
