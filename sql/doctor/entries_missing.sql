-- entries_missing: top-ups whose event is there and whose entry is not.
-- A trigger enters the event in the transaction of the entry, so the entry was there and somebody removed it, or restored
-- the tables in parts. The fix adds it again without the triggers, which would add its credits to the balance once more.
-- An event follows its entry at once, or waits for another top-up: among top-ups of as many credits that come within a
-- minute of each other, those events lack an entry that come latest after one.
-- index: credit_entry_once
with told as (  -- the top-ups of events, and those of entries
  select org_id, (detail ->> 'credits')::bigint as credits, entered_at, event_id
  from key_event join organisation using (org_id)
  where action = 'topped_up'
  union all
  select org_id, credits, entered_at, null from credit_entry where kind = 'top_up'
), paused as (  -- each with the time since the one before it
  select *,
    entered_at - lag(entered_at) over told_before > interval '1 minute' as is_later,
    entered_at - max(entered_at) filter (where event_id is null) over told_before as since_entry
  from told
  window told_before as (partition by org_id, credits order by entered_at, event_id nulls first)
), together as (  -- those within a minute of each other have one number
  select *, count(*) filter (where is_later) over (partition by org_id, credits order by entered_at, event_id nulls first) as turn
  from paused
), counted as (  -- each with how many entries its group lacks, and its place among those that may lack one
  select *,
    2 * count(event_id) over (partition by org_id, credits, turn) - count(*) over (partition by org_id, credits, turn) as missing,
    row_number() over (partition by org_id, credits, turn order by event_id is null, since_entry desc nulls first) as place
  from together
)
select 'wrong' as severity,
  org_id || ': the top-up of ' || credits || ' credits at ' || entered_at || ' has its event and no entry.' as what,
  format(E'-- The balance stays as it is: check "ledger" says whether it fits the entries then.\n'
    'begin;\n'
    'alter table credit_entry disable trigger user;\n'
    'insert into credit_entry (org_id, request_id, kind, credits, entered_at) values (%L, %L, ''top_up'', %s, %L);\n'
    'alter table credit_entry enable trigger user;\n'
    'commit;', org_id, 'event ' || event_id, credits, entered_at) as fix
from counted
where event_id is not null and place <= missing
order by event_id
