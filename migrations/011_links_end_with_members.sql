-- Up Migration

-- Links to sign in end with the membership that stands behind them: a member who was removed, or is no owner any more,
-- comes back by no link that is left, and brings in nobody.
create trigger membership_withdraws_links
  after delete or update of person_id, org_id, role on membership
  for each row execute function membership_withdraws_links();
comment on trigger membership_withdraws_links on membership is
  'Withdraws the links of a member who is no owner any more, and the links for a member who leaves or loses rights.';

-- A link without a maker is one of the command line, so the links of a person who is deleted must not lose theirs. The
-- table holds the links of a day: it is checked in milliseconds.
alter table sign_in_link drop constraint sign_in_link_created_by_fkey;
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
alter table sign_in_link add constraint sign_in_link_created_by_fkey
  foreign key (created_by) references person on delete cascade;

-- The open links of people who are no owners any more.
delete from sign_in_link
where used_at is null and created_by is not null
  and not exists (
    select from membership
    where membership.person_id = sign_in_link.created_by and membership.org_id = sign_in_link.org_id and role = 'owner'
  );
