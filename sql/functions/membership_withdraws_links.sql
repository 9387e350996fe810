-- membership_withdraws_links: the trigger function that withdraws links when a member leaves or takes another role.
-- Only an owner invites, so the links of a member who is no owner any more go. So do the links for a member who leaves,
-- and those that give a member more than the new role. A link for a new person names an e-mail address at most: a link
-- for the address of the member counts as one for the member.
-- It runs with the rights of the owner of the tables, since whoever changes a member need not be able to remove links.
create or replace function membership_withdraws_links() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  roles constant text[] := array['member', 'admin', 'owner'];
  has_left constant boolean := tg_op = 'DELETE' or (new.person_id, new.org_id) <> (old.person_id, old.org_id);
begin
  delete from sign_in_link
  where org_id = old.org_id and used_at is null
    and (
      created_by = old.person_id and (has_left or new.role <> 'owner')
      or (person_id = old.person_id or lower(email) = (select lower(email) from person where person_id = old.person_id))
        and (has_left or array_position(roles, role) > array_position(roles, new.role))
    );
  return null;
end $$;
comment on function membership_withdraws_links() is
  'Withdraws the links of a member who is no owner any more, and the links for a member who leaves or loses rights.';
revoke execute on function membership_withdraws_links from public;
