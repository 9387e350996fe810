-- role_by_claim: a row where the claims of an OpenID provider gave a role of the person.
--   $1 person_id  text
-- index: membership_pkey
-- budget: buffers <= 30, rows read <= 30
-- example: 'per_000000000000'
-- The example finds no row, since ids are random.
select org_id as "orgId"
from membership
where person_id = $1 and from_claim
limit 1
