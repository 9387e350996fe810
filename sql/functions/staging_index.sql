-- staging_index: gives a staged table the indexes, comments and grants of the table being served, and statistics.
--   t  the table
-- Indexes that an operator added are made again too; those that the staged table has already stay. Names of indexes are
-- unique within a schema, so staging.frame has the very index names of public.frame.
create or replace function staging_index(t text) returns void
  language plpgsql set maintenance_work_mem = '256MB' as $$
declare
  i record;
  g record;
begin
  for i in
    select x.indexrelid, c.relname as name, pg_get_indexdef(x.indexrelid) as definition,
      pg_get_constraintdef(k.oid) as constraint_definition, obj_description(x.indexrelid, 'pg_class') as comment
    from pg_index x
    join pg_class c on c.oid = x.indexrelid
    left join pg_constraint k on k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x')
    where x.indrelid = format('public.%I', t)::regclass and to_regclass(format('staging.%I', c.relname)) is null
    order by c.relname
  loop
    if i.constraint_definition is not null then
      execute format('alter table staging.%I add constraint %I %s', t, i.name, i.constraint_definition);
    else
      execute replace(i.definition, format(' ON public.%I ', t), format(' ON staging.%I ', t));
    end if;
    if i.comment is not null then
      execute format('comment on index staging.%I is %L', i.name, i.comment);
    end if;
  end loop;
  execute format('comment on table staging.%I is %L', t, obj_description(format('public.%I', t)::regclass, 'pg_class'));
  for g in
    select a.privilege_type, case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as grantee
    from pg_class c cross join lateral aclexplode(c.relacl) as a
    where c.oid = format('public.%I', t)::regclass and a.grantee <> c.relowner
  loop
    execute format('grant %s on staging.%I to %s', g.privilege_type, t, g.grantee);
  end loop;
  execute format('analyze staging.%I', t);
end $$;
comment on function staging_index(text) is
  'Gives a staged table the indexes, comments and grants of the table being served (your own indexes too), and statistics.';
revoke execute on function staging_index from public;
