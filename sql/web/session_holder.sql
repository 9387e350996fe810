-- session_holder: the person, organisation and role of a session at this moment; no row for a session that has ended.
--   $1 token_hash  bytea  SHA-256 of the token
--   $2 idle_hours  int  a session that nobody uses ends after this time
-- index: session_pkey, person_pkey, membership_pkey, organisation_pkey
-- budget: buffers <= 20, rows read <= 20
-- example: '\x00', 12
-- The example finds no row, since tokens are random.
-- clock_timestamp(), since now() stands still in a transaction.
-- null: email
-- kind: role owner|admin|member
-- json: organisations { orgId: string; name: string }[]
select
  session.person_id as "personId",
  person.name as name,
  person.email as email,
  session.org_id as "orgId",
  organisation.name as "orgName",
  organisation.plan as plan,
  membership.role as role,
  session.seen_at < clock_timestamp() - interval '1 minute' as "isStale",
  (
    select json_agg(json_build_object('orgId', of_person.org_id, 'name', named.name) order by named.name)
    from membership as of_person
    join organisation as named using (org_id)
    where of_person.person_id = session.person_id
  ) as organisations
from session
join person using (person_id)
join membership using (person_id, org_id)
join organisation using (org_id)
where session.token_hash = $1
  and session.ends_at > clock_timestamp()
  and session.seen_at > clock_timestamp() - make_interval(hours => $2)
