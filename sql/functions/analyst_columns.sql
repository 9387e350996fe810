-- analyst_columns: column names for the names of attributes or properties, in their order.
--   names  as the dataset has them
--   taken  names that the view has already: such a name gets recorded_ before it
-- The second attribute of one name gets its place after the name.
create or replace function analyst_columns(names text[], taken text[]) returns text[]
  language sql immutable parallel safe
  return (
    with wish as (  -- one row per name, with the column name that it should get
      select place, analyst_name(case when name = any (taken) then 'recorded_' || name else name end) as wanted
      from unnest(names) with ordinality as each (name, place)
    ), numbered as (  -- each with its number among the names that wish for the same
      select place, wanted, row_number() over (partition by wanted order by place) as turn from wish
    )
    select array_agg(case turn when 1 then wanted else analyst_name(wanted || '_' || place) end order by place) from numbered
  );
comment on function analyst_columns(text[], text[]) is
  'Names of columns for names of attributes: one that is taken by the view gets recorded_ before it, a second of the same name its place after it.';
