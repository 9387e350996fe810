-- organisations_missing: accounts, keys, entries, datasets, licences and answers of no existing organisation.
-- References prevent this; a restore in parts can bring it about. The fix enters the organisation again and loses
-- nothing.
with mention (org_id, place) as (  -- one row per organisation and table that names it
  select org_id, 'account' from account
  union
  select org_id, 'credit_entry' from credit_entry
  union
  select org_id, 'api_key' from api_key
  union
  select org_id, 'dataset' from dataset
  union
  select org_id, 'licence' from licence where org_id is not null
  union
  select org_id, 'worded_use' from worded_use
  union
  select org_id, 'worded_hold' from worded_hold
  union
  select org_id, 'voided_call' from voided_call
  union
  select org_id, 'paid_walk' from paid_walk
  union
  select org_id, 'repeated_call' from repeated_call
  union
  select org_id, 'unknown_word' from unknown_word
)
select 'wrong' as severity,
  'There is no organisation ' || org_id || ', which is in ' || string_agg(place, ', ' order by place) || '.' as what,
  format('insert into organisation (org_id, name, plan) values (%L, %L, ''trial'');', org_id, org_id || ', entered again') as fix
from mention
where not exists (select from organisation where organisation.org_id = mention.org_id)
group by org_id
