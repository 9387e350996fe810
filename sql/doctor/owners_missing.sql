-- owners_missing: organisations that have members and no owner.
-- A trigger keeps the last owner. An organisation whose first member was invited as an admin has none yet.
select 'advice' as severity,
  'Organisation ' || org_id || ' (' || organisation.name || ') has no owner, so nobody in it can invite others. Members: ' || count(*) || '.' as what,
  format(E'-- Choose the owner among the members:\nnpm run -s frames -- people list --org %s\nnpm run -s frames -- people invite --org %s --role owner --email EMAIL',
    org_id, org_id) as fix
from membership
join organisation using (org_id)
group by org_id, organisation.name
having not bool_or(role = 'owner')
