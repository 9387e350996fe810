-- invitations_open: the links to an organisation that nobody used yet and that are still valid, the newest first.
--   $1 org_id  text
-- index: sign_in_link_org_id_idx, person_pkey
-- budget: buffers <= 12 + 4 * rows, rows read <= 8 + 3 * rows
-- example: 'org_000000000000'
-- The example finds no row, since ids are random.
-- A part of the hash is the id of an invitation: it names one, and signs nobody in.
-- null: name, email, madeBy
-- kind: role owner|admin|member
select
  left(encode(sign_in_link.token_hash, 'hex'), 16) as "invitationId",
  coalesce(invited.name, sign_in_link.name) as name,
  coalesce(invited.email, sign_in_link.email) as email,
  sign_in_link.person_id is not null as "isOfPerson",
  sign_in_link.role as role,
  maker.name as "madeBy",
  sign_in_link.created_at as "madeAt",
  sign_in_link.valid_until as "validUntil"
from sign_in_link
left join person as invited on invited.person_id = sign_in_link.person_id
left join person as maker on maker.person_id = sign_in_link.created_by
where sign_in_link.org_id = $1 and sign_in_link.used_at is null and sign_in_link.valid_until > clock_timestamp()
order by sign_in_link.created_at desc, sign_in_link.token_hash
