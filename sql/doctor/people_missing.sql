-- people_missing: memberships, sessions, links and passkeys of people or organisations that do not exist.
-- References prevent this; a restore in parts can bring it about. The link of an invitation has no person yet: null is
-- also "not in" an empty table.
with orphan (kind, place, condition) as (  -- one row per row that refers to nothing
  select 'membership', person_id || ' in ' || org_id, format('person_id = %L and org_id = %L', person_id, org_id)
  from membership
  where person_id not in (select person_id from person) or org_id not in (select org_id from organisation)
  union all
  select 'session', person_id || ' in ' || org_id, format('token_hash = %L', token_hash)
  from session
  where not exists (select from membership where membership.person_id = session.person_id and membership.org_id = session.org_id)
  union all
  select 'sign_in_link', coalesce(person_id, name, email) || ' in ' || org_id, format('token_hash = %L', token_hash)
  from sign_in_link
  where person_id is not null and person_id not in (select person_id from person) or org_id not in (select org_id from organisation)
  union all
  select 'passkey', person_id, format('credential_id = %L', credential_id)
  from passkey
  where person_id not in (select person_id from person)
)
select 'wrong' as severity, 'There is a ' || kind || ' of ' || place || ', which does not exist.' as what,
  format('delete from %I where %s;', kind, condition) as fix
from orphan
