-- members_of_organisation: the people of an organisation, by role and name, and when each was last here.
--   $1 org_id  text
-- index: membership_org_id_idx, person_pkey, session_member_idx
-- budget: buffers <= 12 + 12 * rows, rows read <= 12 * rows
-- example: 'org_000000000000'
-- The example finds no row, since ids are random.
-- A session that has ended keeps its row until its person signs in again, or 30 days, and tells of the last visit meanwhile.
-- null: email, dailyCredits, seenAt
-- kind: role owner|admin|member
select
  membership.person_id as "personId",
  person.name as name,
  person.email as email,
  membership.role as role,
  membership.daily_credits as "dailyCredits",
  membership.created_at as "joinedAt",
  last_visit.seen_at as "seenAt"
from membership
join person using (person_id)
cross join lateral (
  -- null for a person without a session
  select max(session.seen_at) as seen_at
  from session
  where session.person_id = membership.person_id and session.org_id = membership.org_id
) as last_visit
where membership.org_id = $1
order by array_position(array['owner', 'admin', 'member'], membership.role), person.name, membership.person_id
