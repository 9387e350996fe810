-- sign_in_link_events: the trigger function that enters the event of each invitation, and of each link for a member.
-- It runs with the rights of the owner, since nobody else may add events. A link that is deleted after its use or after
-- its end is no event.
create or replace function sign_in_link_events() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  link sign_in_link := coalesce(new, old);
  detail jsonb := jsonb_build_object(
    'name', coalesce(link.name, (select name from person where person_id = link.person_id)), 'email', link.email, 'role', link.role);
begin
  if tg_op = 'INSERT' then
    perform event_enter(link.org_id,
      case when exists (select from membership where person_id = link.person_id and org_id = link.org_id) then 'link_made' else 'invited' end,
      null, link.person_id, detail || jsonb_build_object('valid_until', link.valid_until));
  elsif link.used_at is null and link.valid_until > clock_timestamp() then
    perform event_enter(link.org_id, 'link_withdrawn', null, link.person_id, detail);
  end if;
  return null;
end $$;
comment on function sign_in_link_events() is 'Enters the event of each invitation, and of each link for a member.';
revoke execute on function sign_in_link_events from public;
