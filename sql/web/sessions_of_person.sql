-- sessions_of_person: the sessions of a person that have not ended, the last used first.
--   $1 person_id  text
--   $2 token_hash  bytea  SHA-256 of the token of the session that asks
--   $3 idle_hours  int  a session that nobody uses ends after this time
-- index: session_member_idx, organisation_pkey
-- budget: buffers <= 12 + 4 * rows, rows read <= 8 + 3 * rows
-- example: 'per_000000000000', '\x00', 12
-- The example finds no row, since ids are random.
-- A part of the hash is the id of a session: it names one of a person's sessions, and opens none.
-- null: fromAddress, browser
-- kind: madeBy link|openid|passkey
select
  left(encode(session.token_hash, 'hex'), 16) as "sessionId",
  session.token_hash = $2 as "isThis",
  organisation.name as "orgName",
  session.made_by as "madeBy",
  session.from_address as "fromAddress",
  session.browser as browser,
  session.created_at as "createdAt",
  session.seen_at as "seenAt"
from session
join organisation using (org_id)
where session.person_id = $1
  and session.ends_at > clock_timestamp()
  and session.seen_at > clock_timestamp() - make_interval(hours => $3)
order by session.seen_at desc, session.token_hash
