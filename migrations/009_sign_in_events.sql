-- Up Migration

-- Each sign-in, each session that somebody ends, and each passkey that is added or removed leaves an event, too.

-- Some thousand events are checked in milliseconds.
alter table key_event drop constraint action_known;
-- squawk-ignore constraint-missing-not-valid
alter table key_event add constraint action_known check (action in (
  'minted', 'rolled', 'revoked', 'changed', 'deleted',
  'invited', 'link_made', 'link_withdrawn', 'joined', 'role_changed', 'removed',
  'signed_in', 'session_ended', 'passkey_added', 'passkey_removed',
  'created', 'organisation_changed', 'organisation_deleted', 'topped_up'
));
comment on constraint action_known on key_event is 'Each action has one of these names.';
comment on table key_event is 'Changes of keys, members, their sign-ins, and organisations. Triggers add the rows; nothing changes or removes them.';
comment on column key_event.action is
  'Of a key: minted, rolled, revoked, changed, deleted. Of people: invited, link_made, link_withdrawn, joined, role_changed, removed, signed_in, session_ended, passkey_added, passkey_removed. Of the organisation: created, organisation_changed, organisation_deleted, topped_up.';

-- The sign-ins of the sessions that the table still has.
insert into key_event (org_id, action, person_id, actor, from_address, detail, entered_at)
select org_id, 'signed_in', person_id, 'unknown', from_address, jsonb_build_object('name', name, 'by', made_by), session.created_at
from session
join person using (person_id)
order by session.created_at;

create trigger session_events
  after insert or delete or update of org_id on session
  for each row execute function session_events();
comment on trigger session_events on session is 'Enters the event of each sign-in and of each session that somebody ends.';

create trigger passkey_events
  after insert or delete on passkey
  for each row execute function passkey_events();
comment on trigger passkey_events on passkey is 'Enters the event of each passkey that is added or removed.';
