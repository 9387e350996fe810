-- link_offered: the organisation and role that a sign-in link offers; no row for a link that signs nobody in.
--   $1 token_hash  bytea  SHA-256 of the token
-- index: sign_in_link_pkey, organisation_pkey, person_pkey, membership_pkey
-- budget: buffers <= 20, rows read <= 5
-- example: '\x00'
-- The example finds no row, since tokens are random.
-- The link of a person counts while that person is an owner, and signs in nobody who is a member elsewhere too; a link
-- without a maker is one of the command line.
-- null: name, personId
-- kind: role owner|admin|member
select
  organisation.name as "orgName",
  sign_in_link.role as role,
  coalesce(person.name, sign_in_link.name) as name,
  sign_in_link.person_id as "personId"
from sign_in_link
join organisation using (org_id)
left join person on person.person_id = sign_in_link.person_id
where sign_in_link.token_hash = $1 and sign_in_link.used_at is null and sign_in_link.valid_until > clock_timestamp()
  and (
    sign_in_link.created_by is null
    or exists (
      select from membership
      where membership.person_id = sign_in_link.created_by and membership.org_id = sign_in_link.org_id and membership.role = 'owner'
    )
    and not exists (
      select from membership
      where membership.person_id = sign_in_link.person_id and membership.org_id <> sign_in_link.org_id
    )
  )
