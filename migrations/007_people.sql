-- Up Migration

-- People of an organisation, how they sign in, what they did with its keys, and how much each key is used. The database
-- holds only the hashes of sessions and links. Triggers write the events, so no change is without one.

create table person (
  person_id text constraint person_pkey primary key constraint person_id_form check (person_id ~ '^per_[0-9A-Za-z]{12}$'),
  name text not null constraint person_name_not_blank check (btrim(name) <> ''),
  email text,
  issuer text,
  subject text,
  created_at timestamptz not null default clock_timestamp(),
  constraint person_of_provider unique (issuer, subject),
  constraint subject_has_issuer check ((issuer is null) = (subject is null))
);
comment on table person is 'People who sign in to the web app.';
comment on column person.person_id is 'per_ and 12 letters or digits.';
comment on column person.name is 'The name that pages and events show.';
comment on column person.email is 'E-mail address; null where nobody gave one. It identifies nobody.';
comment on column person.issuer is 'The OpenID provider that knows the person; null for a person who came by a link.';
comment on column person.subject is 'The id of the person at that provider.';
comment on column person.created_at is 'Instant at which the person was entered.';
comment on constraint person_id_form on person is 'A person id is per_ and 12 letters or digits.';
comment on constraint person_name_not_blank on person is 'A name is not blank.';
comment on constraint subject_has_issuer on person is 'An issuer and a subject belong together.';
comment on index person_pkey is 'People by id.';
comment on index person_of_provider is 'People by their id at an OpenID provider.';

create table membership (
  person_id text constraint membership_person_id_fkey references person on delete cascade,
  org_id text constraint membership_org_id_fkey references organisation on delete cascade,
  role text not null constraint role_known check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null default clock_timestamp(),
  constraint membership_pkey primary key (person_id, org_id)
);
create index membership_org_id_idx on membership (org_id);
comment on table membership is 'The people of each organisation, with their roles.';
comment on column membership.person_id is 'The person.';
comment on column membership.org_id is 'The organisation.';
comment on column membership.role is 'owner: changes members, and all below; admin: keys, usage, credits; member: reads.';
comment on column membership.created_at is 'Instant at which the person joined.';
comment on constraint role_known on membership is 'A role is owner, admin or member.';
comment on index membership_pkey is 'The organisations of a person.';
comment on index membership_org_id_idx is 'The members of an organisation.';

create table session (
  token_hash bytea constraint session_pkey primary key constraint sha256_of_the_session check (octet_length(token_hash) = 32),
  person_id text not null,
  org_id text not null,
  made_by text not null constraint made_by_known check (made_by in ('link', 'openid', 'passkey')),
  from_address text,
  browser text,
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  constraint session_of_a_member foreign key (person_id, org_id) references membership on delete cascade,
  constraint seven_days_at_most check (ends_at - created_at <= interval '7 days')
);
create index session_member_idx on session (person_id, org_id);
create index session_ends_at_idx on session (ends_at);
comment on table session is 'Sessions of the web app. A session that is deleted ends at once; so does one whose membership is deleted.';
comment on column session.token_hash is 'SHA-256 of the token in the cookie. The token itself is not stored.';
comment on column session.person_id is 'The person who signed in.';
comment on column session.org_id is 'The organisation that the person looks at.';
comment on column session.made_by is 'link, openid or passkey: the way in which the person signed in.';
comment on column session.from_address is 'The client''s address at sign-in.';
comment on column session.browser is 'The browser at sign-in, as its User-Agent names it.';
comment on column session.created_at is 'Instant of the sign-in.';
comment on column session.seen_at is 'Instant of the last request, to the minute.';
comment on column session.ends_at is 'The app refuses the session from this instant on.';
comment on constraint sha256_of_the_session on session is 'A SHA-256 has 32 bytes.';
comment on constraint made_by_known on session is 'A session is made by a link, an OpenID provider or a passkey.';
comment on constraint seven_days_at_most on session is 'A session ends after seven days at most.';
comment on index session_pkey is 'Sessions by token: every request of the app reads it.';
comment on index session_member_idx is 'The sessions of a member.';
comment on index session_ends_at_idx is 'Sessions that may be removed.';

create table sign_in_link (
  token_hash bytea constraint sign_in_link_pkey primary key constraint sha256_of_the_link check (octet_length(token_hash) = 32),
  org_id text not null constraint sign_in_link_org_id_fkey references organisation on delete cascade,
  role text not null constraint link_role_known check (role in ('owner', 'admin', 'member')),
  person_id text constraint sign_in_link_person_id_fkey references person on delete cascade,
  name text constraint link_name_not_blank check (btrim(name) <> ''),
  email text,
  created_by text constraint sign_in_link_created_by_fkey references person on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  valid_until timestamptz not null,
  used_at timestamptz,
  constraint link_for_somebody check (person_id is not null or name is not null or email is not null),
  constraint link_of_a_day_at_most check (valid_until - created_at <= interval '1 day')
);
create index sign_in_link_org_id_idx on sign_in_link (org_id);
create index sign_in_link_person_id_idx on sign_in_link (person_id);
create index sign_in_link_valid_until_idx on sign_in_link (valid_until);
comment on table sign_in_link is 'One-time links: each signs one person in to one organisation, and invites a person who is new.';
comment on column sign_in_link.token_hash is 'SHA-256 of the token in the link. The token itself is not stored.';
comment on column sign_in_link.org_id is 'The organisation that the person signs in to.';
comment on column sign_in_link.role is 'The role of a person who joins by the link. A member keeps the present role.';
comment on column sign_in_link.person_id is 'The person, where there is one already; null for an invitation of a new person.';
comment on column sign_in_link.name is 'Name of the invited person.';
comment on column sign_in_link.email is 'E-mail address of the invited person.';
comment on column sign_in_link.created_by is 'The person who made the link; null for the command line.';
comment on column sign_in_link.created_at is 'Instant at which it was made.';
comment on column sign_in_link.valid_until is 'The app refuses the link from this instant on.';
comment on column sign_in_link.used_at is 'Instant at which it was used; null for a link that is not used. A used link signs nobody in.';
comment on constraint sha256_of_the_link on sign_in_link is 'A SHA-256 has 32 bytes.';
comment on constraint link_role_known on sign_in_link is 'A role is owner, admin or member.';
comment on constraint link_name_not_blank on sign_in_link is 'A name is not blank.';
comment on constraint link_for_somebody on sign_in_link is 'A link names a person, a name or an e-mail address.';
comment on constraint link_of_a_day_at_most on sign_in_link is 'A link is valid for a day at most.';
comment on index sign_in_link_pkey is 'Links by token.';
comment on index sign_in_link_org_id_idx is 'The links of an organisation.';
comment on index sign_in_link_person_id_idx is 'The links of a person.';
comment on index sign_in_link_valid_until_idx is 'Links that may be removed.';

create table sign_in_attempt (
  token_hash bytea constraint sign_in_attempt_pkey primary key constraint sha256_of_the_attempt check (octet_length(token_hash) = 32),
  kind text not null constraint attempt_kind_known check (kind in ('openid', 'passkey')),
  payload jsonb not null,
  valid_until timestamptz not null
);
create index sign_in_attempt_valid_until_idx on sign_in_attempt (valid_until);
comment on table sign_in_attempt is 'State of a sign-in between two requests. The app deletes the row when it uses it, so an answer counts once.';
comment on column sign_in_attempt.token_hash is 'SHA-256 of the token in the cookie of the attempt.';
comment on column sign_in_attempt.kind is 'openid or passkey.';
comment on column sign_in_attempt.payload is 'openid: state, nonce and PKCE verifier; passkey: the challenge.';
comment on column sign_in_attempt.valid_until is 'The app refuses the attempt from this instant on.';
comment on constraint sha256_of_the_attempt on sign_in_attempt is 'A SHA-256 has 32 bytes.';
comment on constraint attempt_kind_known on sign_in_attempt is 'A kind is openid or passkey.';
comment on index sign_in_attempt_pkey is 'Attempts by token.';
comment on index sign_in_attempt_valid_until_idx is 'Attempts that may be removed.';

create table passkey (
  credential_id text constraint passkey_pkey primary key,
  person_id text not null constraint passkey_person_id_fkey references person on delete cascade,
  public_key bytea not null,
  counter bigint not null default 0 constraint counter_not_negative check (counter >= 0),
  transports text[] not null default '{}',
  name text not null constraint passkey_name_not_blank check (btrim(name) <> ''),
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz
);
create index passkey_person_id_idx on passkey (person_id);
comment on table passkey is 'Passkeys of people (WebAuthn): public keys only.';
comment on column passkey.credential_id is 'Id of the credential, base64url, as the authenticator gave it.';
comment on column passkey.person_id is 'The person who signs in with it.';
comment on column passkey.public_key is 'Public key, COSE.';
comment on column passkey.counter is 'The authenticator''s counter at the last sign-in; a lower one betrays a copy.';
comment on column passkey.transports is 'How the browser reaches the authenticator, such as internal or usb.';
comment on column passkey.name is 'Its name for the person.';
comment on column passkey.created_at is 'Instant at which it was added.';
comment on column passkey.used_at is 'Instant of the last sign-in with it.';
comment on constraint counter_not_negative on passkey is 'A counter is not below zero.';
comment on constraint passkey_name_not_blank on passkey is 'A name is not blank.';
comment on index passkey_pkey is 'Passkeys by credential.';
comment on index passkey_person_id_idx is 'The passkeys of a person.';

-- An event outlives the organisation, the key and the people that it names, so it references none of them.
create table key_event (
  event_id bigint generated always as identity constraint key_event_pkey primary key,
  org_id text not null,
  action text not null constraint action_known check (action in (
    'minted', 'rolled', 'revoked', 'changed', 'deleted',
    'invited', 'link_made', 'link_withdrawn', 'joined', 'role_changed', 'removed',
    'created', 'organisation_changed', 'organisation_deleted', 'topped_up'
  )),
  key_id text,
  person_id text,
  actor_person text,
  actor text not null constraint actor_not_blank check (btrim(actor) <> ''),
  from_address text,
  detail jsonb not null default '{}',
  entered_at timestamptz not null default clock_timestamp()
);
create index key_event_org_id_idx on key_event (org_id, event_id);
create index key_event_key_id_idx on key_event (key_id, event_id) where key_id is not null;
comment on table key_event is 'Changes of keys, members and organisations. Triggers add the rows; nothing changes or removes them.';
comment on column key_event.event_id is 'Number of the event, in the order in which they were added.';
comment on column key_event.org_id is 'The organisation.';
comment on column key_event.action is
  'Of a key: minted, rolled, revoked, changed, deleted. Of people: invited, link_made, link_withdrawn, joined, role_changed, removed. Of the organisation: created, organisation_changed, organisation_deleted, topped_up.';
comment on column key_event.key_id is 'The key that changed.';
comment on column key_event.person_id is 'The person whom the change concerns.';
comment on column key_event.actor_person is 'The person who made the change; null for the command line and psql.';
comment on column key_event.actor is 'Name of the one who made the change: a person, the command line, or a role of the database.';
comment on column key_event.from_address is 'The client''s address; null for the command line and psql.';
comment on column key_event.detail is 'Values that changed. It holds no secret and no hash.';
comment on column key_event.entered_at is 'Instant of the change.';
comment on constraint action_known on key_event is 'Each action has one of these names.';
comment on constraint actor_not_blank on key_event is 'Every event names an actor.';
comment on sequence key_event_event_id_seq is 'Numbers events.';
comment on index key_event_pkey is 'Events by number.';
comment on index key_event_org_id_idx is 'The events of an organisation, in order.';
comment on index key_event_key_id_idx is 'The events of a key, in order.';

-- A process adds its counts every few seconds. The key may be gone by then, so these tables do not reference it.
create table key_use (
  key_id text,
  day date,
  call text,
  outcome text,
  bucket text default '',
  calls bigint not null constraint calls_positive check (calls > 0),
  last_request_id text,
  constraint key_use_pkey primary key (key_id, day, call, outcome, bucket)
);
comment on table key_use is 'Calls of each key by day, call and outcome.';
comment on column key_use.key_id is 'The key. It stays after the key is removed.';
comment on column key_use.day is 'The day, UTC.';
comment on column key_use.call is 'The call: the pattern of its path, such as /v1/frames/at.';
comment on column key_use.outcome is 'ok, worded, not_modified, hung_up (the client did), or the code of the error.';
comment on column key_use.bucket is 'The bucket that refused the call; blank for every other outcome.';
comment on column key_use.calls is 'Number of calls.';
comment on column key_use.last_request_id is 'X-Request-Id of the last of them; null for ok, worded and not_modified.';
comment on constraint calls_positive on key_use is 'A row counts at least one call.';
comment on index key_use_pkey is 'The use of a key by day.';

create table key_seen (
  key_id text constraint key_seen_pkey primary key,
  seen_at timestamptz not null
);
comment on table key_seen is 'Instant of the last call of each key.';
comment on column key_seen.key_id is 'The key. It stays after the key is removed.';
comment on column key_seen.seen_at is 'Instant of its last call, to the seconds between two counts.';
comment on index key_seen_pkey is 'Last calls by key.';

-- The web app adds up the entries of a period. The ledger of an organisation that pays by the call has a million of them
-- a year.
-- squawk-ignore require-concurrent-index-creation
create index credit_entry_org_id_entered_at_idx on credit_entry (org_id, entered_at);
comment on index credit_entry_org_id_entered_at_idx is 'An organisation''s entries of a period.';

alter table api_key add column rolled_from text;
alter table api_key add column created_by text;
-- A database has some hundreds of keys: the scans below take milliseconds.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
alter table api_key add constraint api_key_rolled_from_fkey foreign key (rolled_from) references api_key on delete set null;
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
alter table api_key add constraint api_key_created_by_fkey foreign key (created_by) references person on delete set null;
-- squawk-ignore require-concurrent-index-creation
create index api_key_rolled_from_idx on api_key (rolled_from) where rolled_from is not null;
-- squawk-ignore require-concurrent-index-creation
create index api_key_created_by_idx on api_key (created_by) where created_by is not null;
comment on column api_key.rolled_from is 'The key that this one replaces; null for a key that replaces none.';
comment on column api_key.created_by is 'The person who minted it; null for the command line.';
comment on index api_key_rolled_from_idx is 'The key that replaces a key.';
comment on index api_key_created_by_idx is 'The keys that a person minted.';

-- A grant cannot tell an earlier instant from a later one; a trigger can. The console may revoke a key and may bring a
-- revocation forward. Only the owner undoes one, or enters a key with another instant of minting than the present one.
create trigger api_key_minted_now
  before insert on api_key
  for each row when (new.created_at not between clock_timestamp() - interval '1 minute' and clock_timestamp())
  execute function refuse_all_but_owner();
comment on trigger api_key_minted_now on api_key is 'Refuses another instant of minting than the present by anyone but the owner, so that no key outlives 365 days.';

create trigger api_key_revoked_for_good
  before update of revoked_at on api_key
  for each row when (new.revoked_at > old.revoked_at or new.revoked_at is null and old.revoked_at is not null)
  execute function refuse_all_but_owner();
comment on trigger api_key_revoked_for_good on api_key is 'Refuses to undo or delay a revocation by anyone but the owner.';

-- The events of the past, for as much as the tables still know.
insert into key_event (org_id, action, key_id, actor, detail, entered_at)
select * from (
  select org_id, 'created', null, 'unknown', jsonb_build_object('name', name, 'plan', plan), created_at from organisation
  union all
  select org_id, 'minted', key_id, 'unknown', jsonb_strip_nulls(to_jsonb(api_key) - array['org_id', 'key_id', 'secret_hash', 'created_at', 'revoked_at']), created_at from api_key
  union all
  select org_id, 'revoked', key_id, 'unknown', jsonb_build_object('revoked_at', revoked_at), revoked_at from api_key where revoked_at is not null
) as past (org_id, action, key_id, actor, detail, entered_at)
order by entered_at, action;

create trigger key_event_append_only
  before update or delete or truncate on key_event
  for each statement execute function refuse_change();
comment on trigger key_event_append_only on key_event is 'Refuses to change or remove an event.';

create trigger organisation_events
  after insert or update or delete on organisation
  for each row execute function organisation_events();
comment on trigger organisation_events on organisation is 'Enters the event of each change.';

create trigger api_key_events
  after insert or delete or update of org_id, name, capabilities, datasets, created_at, expires_at, revoked_at, secret_hash on api_key
  for each row execute function api_key_events();
comment on trigger api_key_events on api_key is 'Enters the event of each change.';

create trigger membership_events
  after insert or update or delete on membership
  for each row execute function membership_events();
comment on trigger membership_events on membership is 'Enters the event of each change.';

create trigger sign_in_link_events
  after insert or delete on sign_in_link
  for each row execute function sign_in_link_events();
comment on trigger sign_in_link_events on sign_in_link is 'Enters the event of each invitation and link.';

create trigger credit_entry_events
  after insert on credit_entry
  for each row when (new.kind = 'top_up') execute function credit_entry_events();
comment on trigger credit_entry_events on credit_entry is 'Enters the event of each top-up.';

create constraint trigger membership_keeps_owner
  after delete or update on membership
  deferrable initially deferred
  for each row when (old.role = 'owner') execute function membership_keeps_owner();
comment on trigger membership_keeps_owner on membership is 'Refuses, at the end of a transaction, to leave an organisation without an owner.';
