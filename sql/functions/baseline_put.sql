-- baseline_put: keeps the staged rows of a baseline, under a version that nobody reads yet, in the order of frames.
--   served       the version
--   all_numbers  no attribute is a category: the staged numbers are then what value_row_rows reads in the rows
create or replace function baseline_put(served bigint, all_numbers boolean) returns void
  language plpgsql set work_mem = '256MB' as $$
begin
  insert into baseline_row (version, frame_id, recorded)
  select served, frame_id, recorded::json from staging.baseline_source order by frame_id;
  insert into value_row (version, frame_id, numbers, texts)
  select served, frame_id, numbers, array_fill(null::text, array[cardinality(numbers)]) from staging.baseline_source where all_numbers order by frame_id;
end $$;
comment on function baseline_put(bigint, boolean) is 'Keeps the staged rows of a baseline, under a version that nobody reads yet.';
revoke execute on function baseline_put from public;
