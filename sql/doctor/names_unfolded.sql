-- names_unfolded: unit names of frames that fold_name would change, so that no call matches them.
with named as materialized (  -- one row per unit of frames: else the planner folds the names of every frame
  select distinct state, lga, ward from frame where state is not null
), odd as (  -- the units with a name that fold_name changes
  select * from named
  where state <> fold_name(state) or lga <> fold_name(lga) or ward <> fold_name(ward)
)
select 'wrong' as severity,
  'Units with names that no call matches: ' || count(*) || ', such as ' || min(concat_ws(', ', state, lga, ward)) || '.' as what,
  E'update frame set state = fold_name(state), lga = fold_name(lga), ward = fold_name(ward)\n'
  '  where state <> fold_name(state) or lga <> fold_name(lga) or ward <> fold_name(ward);\n'
  'update index_generation set generation = generation + 1;' as fix
from odd
having count(*) > 0
