-- bounds_of: the numbers that pass a test.
--   test  {"above": 5, "atMost": 10}, with above or atLeast, below or atMost, as far as they are given; or {"equals": 5}
create or replace function bounds_of(test jsonb) returns numrange
  language sql immutable parallel safe
  return case
    when test ? 'equals' then numrange((test ->> 'equals')::numeric, (test ->> 'equals')::numeric, '[]')
    when coalesce((test ->> 'above')::numeric, (test ->> 'atLeast')::numeric, '-Infinity') > coalesce((test ->> 'below')::numeric, (test ->> 'atMost')::numeric, 'Infinity')
      then 'empty'
    else numrange(
      coalesce((test ->> 'above')::numeric, (test ->> 'atLeast')::numeric),
      coalesce((test ->> 'below')::numeric, (test ->> 'atMost')::numeric),
      case when test ? 'above' then '(' else '[' end || case when test ? 'below' then ')' else ']' end
    )
  end;
comment on function bounds_of(jsonb) is 'The numbers that pass a test, such as {"above": 5, "atMost": 10}.';
