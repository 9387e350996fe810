-- baseline_faults: the first ten staged rows that cannot be kept, each with its reason; no row when all can.
--   weights  attributes that weight an average
-- A weight of 0 is kept: such a frame counts in no weighted average. A negative one would turn the average round.
-- With the usual memory for sorts, a million rows go through files. To merge their ids with those of the frames takes a third
-- less than to hash them.
create or replace function baseline_faults(weights text[]) returns table (line bigint, reason text)
  language plpgsql set work_mem = '128MB' set enable_hashjoin = off as $$
#variable_conflict use_column
begin
  return query
  with doubled as (  -- the rows of each frame that has several, but the first
    select line, 'frame ' || frame_id || ' was given already, on line ' || first_line as reason
    from (
      select line, frame_id, first_value(line) over (partition by frame_id order by line) as first_line from staging.baseline_source
    ) as source
    where line > first_line
  ), unknown as (  -- rows of frames that the index does not have
    select line, 'the index knows no frame ' || frame_id as reason
    from staging.baseline_source as source
    where not exists (select from frame where frame.frame_id = source.frame_id)
  ), negative as (  -- rows with a negative weight
    select line, name || ' weights an average, so a number of zero or more is needed, and ' || (recorded::json ->> name) || ' came' as reason
    from staging.baseline_source
    cross join unnest(weights) as weight (name)
    -- a negative number has a minus sign: most rows need not be read as JSON
    where case when position('-' in recorded) > 0 then plain_number(recorded::json ->> name) < 0 end
  )
  select fault.line, fault.reason
  from (
    select line, reason from doubled
    union all
    select line, reason from unknown
    union all
    select line, reason from negative
  ) as fault
  order by fault.line
  limit 10;
end $$;
comment on function baseline_faults(text[]) is 'The first ten staged rows of a baseline that cannot be kept, each with its reason.';
revoke execute on function baseline_faults from public;
