-- analyst.figure: a figure, or the arithmetic of two, in each group, and the first groups.
--   figure  type Figure of src/core/figures/algebra.ts; docs/figures.md has examples
-- It reads arrays that analysts have no right to, as their owner; a dataset whose view the caller may not read is refused.
create or replace function analyst.figure(figure jsonb)
  returns table (path text[], class text, name text, things int, recorded int, value numeric, classes jsonb)
  language plpgsql stable strict security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  asked jsonb := figure;
begin
  perform refuse_unread_datasets(asked);
  return query select path, class, name, things, recorded, trim_scale(value), classes from figured(asked);
end $$;
comment on function analyst.figure(jsonb) is
  'A figure of docs/figures.md: a row for each group, with its unit or class, how many things it has, how many record a value, and the value.';
