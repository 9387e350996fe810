-- Up Migration

-- Owners set how many credits a day a member spends. The pages of a key and of a member read their entries.

alter table membership add column daily_credits int constraint daily_credits_not_negative check (daily_credits >= 0);
comment on column membership.daily_credits is 'Credits that the person may spend in a day, UTC; null for all that the organisation has.';
comment on constraint daily_credits_not_negative on membership is 'A day has no fewer credits than none.';

-- squawk-ignore require-concurrent-index-creation
create index credit_entry_key_id_idx on credit_entry (key_id, entered_at) where key_id is not null;
comment on index credit_entry_key_id_idx is 'The entries of a key, or of a person, in order.';

alter table key_event drop constraint action_known;
-- squawk-ignore constraint-missing-not-valid
alter table key_event add constraint action_known check (action in (
  'minted', 'rolled', 'revoked', 'changed', 'deleted',
  'invited', 'link_made', 'link_withdrawn', 'joined', 'role_changed', 'limit_changed', 'removed',
  'signed_in', 'session_ended', 'passkey_added', 'passkey_removed',
  'created', 'organisation_changed', 'organisation_deleted', 'topped_up'
));
comment on constraint action_known on key_event is 'Each action has one of these names.';
comment on column key_event.action is
  'Of a key: minted, rolled, revoked, changed, deleted. Of people: invited, link_made, link_withdrawn, joined, role_changed, limit_changed, removed, signed_in, session_ended, passkey_added, passkey_removed. Of the organisation: created, organisation_changed, organisation_deleted, topped_up.';
