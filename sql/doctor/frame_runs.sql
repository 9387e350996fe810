-- frame_runs: frames that no run holds; a box over more than 20,000 frames leaves them out.
--   $1 run  text  the statement that cuts runs, as an import runs it
-- index: frame_pkey
with counted as (  -- one row: all frames, frames that a run holds, and runs that overlap the next
  select
    (select count(*) from frame) as frames,
    (
      select count(*) from frame_run join frame as member on member.frame_id between first_id and last_id where member.geom @ extent
    ) as held,
    (
      select count(*)
      from (select last_id, lead(first_id) over (order by first_id) as next_id from frame_run) as run
      where next_id <= last_id
    ) as overlapping
)
select 'wrong' as severity,
  case when overlapping > 0 then 'Runs of frames overlap.' else 'Frames in no run that holds them: ' || frames - held || '.' end as what,
  E'begin;\ndelete from frame_run;\n' || $1::text || E';\nupdate index_generation set generation = generation + 1;\ncommit;' as fix
from counted
where overlapping > 0 or frames <> held
