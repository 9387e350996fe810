-- entries_missing: top-ups whose event is there and whose entry is not.
-- A trigger enters the event in the transaction of the entry, so the entry was there and somebody removed it, or restored
-- the tables in parts. The fix adds it again without the triggers, which would add its credits to the balance once more.
-- index: credit_entry_once
select 'wrong' as severity,
  event.org_id || ': the top-up of ' || (event.detail ->> 'credits') || ' credits at ' || event.entered_at || ' has its event and no entry.' as what,
  format(E'-- The balance stays as it is: check "ledger" says whether it fits the entries then.\n'
    'begin;\n'
    'alter table credit_entry disable trigger user;\n'
    'insert into credit_entry (org_id, request_id, kind, credits, entered_at) values (%L, %L, ''top_up'', %s, %L);\n'
    'alter table credit_entry enable trigger user;\n'
    'commit;', event.org_id, 'event ' || event.event_id, event.detail ->> 'credits', event.entered_at) as fix
from key_event as event
join organisation using (org_id)
where event.action = 'topped_up' and not exists (
  select from credit_entry as entry
  where entry.org_id = event.org_id and entry.kind = 'top_up' and entry.credits = (event.detail ->> 'credits')::bigint
    -- both have the clock of one statement
    and entry.entered_at between event.entered_at - interval '1 minute' and event.entered_at + interval '1 minute'
)
order by event.event_id
