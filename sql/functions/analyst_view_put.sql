-- analyst_view_put: makes or replaces a view of schema analyst, with its owner and comments.
--   name      the view
--   body      its select
--   about     its comment
--   columns   its columns
--   comments  their comments, in the same order
create or replace function analyst_view_put(name text, body text, about text, columns text[], comments text[]) returns void
  language plpgsql set client_min_messages = warning as $$
declare
  readers text;
begin
  -- "create or replace" keeps grants on the view and views over it, where its columns stay the same.
  begin
    execute format('create or replace view analyst.%I as %s', name, body);
  exception when invalid_table_definition then
    begin
      execute format('drop view analyst.%I', name);
    exception when dependent_objects_still_exist then
      get stacked diagnostics readers = pg_exception_detail;
      raise exception 'The columns of analyst.% change, and views of your own that read it stand in the way (%). Drop them, run "npm run -s frames -- migrate", then create them again with the new columns.',
        name, replace(readers, E'\n', '; ') using errcode = 'dependent_objects_still_exist';
    end;
    execute format('create view analyst.%I as %s', name, body);
  end;
  -- The owner of the schema could not replace a view that a superuser owns.
  execute format('alter view analyst.%I owner to %s', name, (select nspowner::regrole from pg_namespace where nspname = 'analyst'));
  execute format('comment on view analyst.%I is %L', name, about);
  for i in 1 .. cardinality(columns) loop
    execute format('comment on column analyst.%I.%I is %L', name, columns[i], comments[i]);
  end loop;
end $$;
comment on function analyst_view_put(text, text, text, text[], text[]) is 'Makes a view of schema analyst, or makes it anew, with its comments.';
revoke execute on function analyst_view_put from public;
