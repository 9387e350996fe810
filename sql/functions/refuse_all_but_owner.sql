-- refuse_all_but_owner: the trigger function that refuses a change to everyone but the owner of the table.
-- A grant cannot tell a top-up from a charge; a trigger can.
create or replace function refuse_all_but_owner() returns trigger
  language plpgsql as $$
begin
  if not pg_has_role(current_user, (select relowner from pg_catalog.pg_class where oid = tg_relid), 'member') then
    raise exception 'only the owner of table % may do this', tg_table_name
      using errcode = 'insufficient_privilege', hint = 'The commands of "frames" do it, as the owner of the database.';
  end if;
  return new;
end $$;
comment on function refuse_all_but_owner() is 'Keeps what a grant cannot tell apart to the owner of the table.';
revoke execute on function refuse_all_but_owner from public;
