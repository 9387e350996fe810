-- differing: the objects of a database that are missing, differ from those of the migrations, or should not be there.
--   $1 expected  text    JSON array of the objects of migrations/schema.json; those of functions with the text of their file
--   $2 present   text    JSON array of the rows of objects.sql
--   $3 owner     text    the role that owns table migration
--   $4 roles     text[]  the roles of the program that this server has
-- example: '[{"kind":"table","relation":"frame","name":"frame","definition":""}]', '[]', 'frames_owner', '{frames_service}'
-- An index, a table, a sequence or a role of a DBA may be there. The rows come in an order in which they can be fixed.
with sort (kind, place, label) as (  -- the kinds of objects in words: the fix of one may need those before it
  values ('schema', 1, 'Schema'), ('table', 2, 'Table'), ('sequence', 3, 'Sequence'), ('column', 4, 'Column'),
    ('default', 5, 'The default of column'), ('not null', 6, '"not null" of column'), ('function', 7, 'Function'), ('view', 8, 'View'),
    ('unique', 9, 'Index'), ('index', 10, 'Index'), ('constraint', 11, 'Constraint'), ('trigger', 12, 'Trigger'), ('rule', 13, 'Rule'),
    ('policy', 14, 'Policy'), ('child', 15, 'Child table'), ('grant', 16, 'Right')
), granted (role, fix) as (  -- the functions that grant a role all that it needs
  values ('frames_service', 'select service_may(''frames_service'');'), ('frames_console', 'select console_may(''frames_console'');'),
    ('frames_analyst', 'select analyst_may(''frames_analyst'');')
), lost (fix) as (  -- what no statement brings back
  values ('-- No statement brings its rows back: restore the database from a backup.')
), expected as (  -- the objects of the migrations
  select * from rows from (
    json_to_recordset($1::text::json) as (kind text, relation text, name text, definition text, statement text, place int)
  ) with ordinality as object (kind, relation, name, definition, statement, place, n)
), present as (  -- the objects of the database
  select * from rows from (
    json_to_recordset($2::text::json) as (kind text, relation text, name text, definition text, removal text, state text, repair text, owner text)
  ) with ordinality as object (kind, relation, name, definition, removal, state, repair, owner, n)
), place (is_ours, relation) as (  -- what may have parts or rights, by the migrations and in the database
  select true, case kind when 'function' then 'function ' || name else relation end from expected
  union
  select true, relation from expected
  union
  select false, case kind when 'function' then 'function ' || name else relation end from present
  union
  select false, relation from present
  union
  select is_ours, relation from (values (true), (false)) as side (is_ours), (values ('schema public'), ('schema analyst'), ('migration')) as known (relation)
), object as materialized (  -- one row for each object of either
  select kind, relation, name, expected.definition as wanted, present.definition as found, expected.statement, removal, state, repair, owner,
    expected.n is not null as is_ours, present.n is not null as is_there, sort.place as sort, coalesce(file.place, -1) as file,
    coalesce(expected.n, present.n) as n,
    sort.label || ' ' || case when kind = 'function' then relation when relation = name then name else name || ' of ' || relation end as title,
    case kind when 'grant' then regexp_replace(name, '^.* to ', '') end as role, case kind when 'grant' then regexp_replace(name, ' to \S+$', '') end as privilege
  from expected
  full join present using (kind, relation, name)
  join sort using (kind)
  left join (select relation, max(place) as place from expected group by relation) as file using (relation)
), missing as materialized (  -- what the database lacks; the parts of what it lacks go without saying
  select * from object
  where is_ours and not is_there and (kind <> 'grant' or role = any($4::text[] || 'public'::text))
    and (relation = name or kind = 'function' or relation in (select relation from place where not is_ours))
    and (kind not in ('not null', 'default') or ('column', relation, name) in (select kind, relation, name from present))
), unwanted as materialized (  -- what should not be there
  select * from object
  where is_there and not is_ours and (kind = 'schema' or relation in (select relation from place where is_ours))
    and (kind not in ('not null', 'default') or ('column', relation, name) in (select kind, relation, name from expected))
), renamed as (  -- columns that are missing where their table has one of the same type that should not be there
  select relation, min(missing.name) as name, min(unwanted.name) as instead
  from missing
  join unwanted using (kind, relation)
  where kind = 'column' and missing.wanted = unwanted.found
  group by relation, missing.wanted
  having count(*) = 1
), finding (severity, what, fix, step, sort, file, n) as (  -- one row for each fault, and one for the rights that a role lacks
  select 'wrong',
    case
      when instead is not null then title || ' is missing, and column ' || instead || ', which may be the same, is there.'
      when kind = 'not null' then 'Column ' || name || ' of ' || relation || ' may be null, and the migrations make it "not null".'
      else title || ' is missing.'
    end,
    case
      when instead is not null then format('alter table %s rename column %s to %s;', relation, instead, name)
      when kind in ('table', 'column') then lost.fix
      else coalesce(statement, lost.fix)
    end, 1, sort, file, n
  from missing
  cross join lost
  left join renamed using (relation, name)
  where kind <> 'grant'
  union all
  select 'wrong', role || ' lacks ' || string_agg(privilege || ' on ' || relation, ', ' order by n) || '.',
    coalesce(granted.fix, string_agg(statement, E'\n' order by n)), 2, min(sort), -1, min(n)
  from missing
  left join granted using (role)
  where kind = 'grant'
  group by role, granted.fix
  union all
  select 'wrong', title || ' ' || case kind
      when 'column' then 'is ' || found || ', the migrations make it ' || wanted || '.'
      when 'function' then 'differs from its file in sql/functions/.'
      else 'differs from the migrations: ' || found
    end,
    case
      when kind = 'sequence' then format('alter sequence %s %s;', name, wanted)
      -- PostgreSQL replaces a function where its result stays the same
      when kind in ('column', 'view', 'default') or kind = 'function' and split_part(found, ' language ', 1) = split_part(wanted, ' language ', 1) then ''
      else removal || E'\n'
    end || case kind when 'sequence' then '' else coalesce(statement, lost.fix) end, 3, sort, file, n
  from object
  cross join lost
  where found <> wanted
  union all
  -- A build or an import replaces tables, and a migration changes all: both need the owner of all. A sequence follows its table.
  select 'wrong', title || ' belongs to ' || owner || ', and table migration to ' || $3::text || ', who can neither change nor replace it.',
    format(E'-- A superuser runs this:\nalter %s %s owner to %s;', kind, name, $3::text), 4, sort, file, n
  from object
  where is_there and (is_ours or relation like 'analyst.lyr\_%') and owner <> $3::text and kind <> 'sequence'
  union all
  select 'wrong', title || ' ' || state,
    case when kind = 'index' and not is_ours then replace(removal, 'drop index', 'drop index concurrently') else repair end, 5, sort, file, n
  from object
  where state <> ''
  union all
  select case when kind = 'column' and not needs_value then 'advice' else 'wrong' end,
    case kind
      when 'grant' then case role when 'public' then 'Everyone' else role end || ' may ' || privilege || ' ' || relation || ', which is not needed.'
      when 'column' then title || ' is not of the migrations' || case when needs_value then ', and new rows need a value there' else '' end || '.'
      when 'schema' then 'Schema ' || name || ' is in the way: sessions of role ' || name || ' find its tables and functions instead of ours.'
      when 'function' then 'Function ' || name || ' is not of the migrations, and calls of ' || relation || ' may find it.'
      else title || ' is not of the migrations.'
    end,
    case kind when 'column' then E'-- It goes with all that it holds:\n' when 'schema' then E'-- A superuser runs this:\n' else '' end
      || removal || case when granted.fix is null then '' else E'\n' || granted.fix end, 6, sort, file, n
  from unwanted
  left join granted using (role)
  cross join lateral (
    select ('not null', relation, name) in (select kind, relation, name from present) as needs_value
  ) as required
  where kind not in ('index', 'table', 'sequence', 'view') and (kind <> 'column' or (relation, name) not in (select relation, instead from renamed))
  union all
  select 'advice', 'View ' || name || ' is not of the migrations: schema public is ours.', removal, 7, sort, file, n
  from object
  where kind = 'view' and not is_ours and relation not like 'analyst.%'
)
select severity as severity, what as what, fix as fix
from finding
order by sort, file, step, n
