-- unit_counts_keep: fills tables state, lga and ward from unit_counts.
-- Rows go in by name, so that those of a state lie on few pages. A new index calls it in schema staging.
create or replace function unit_counts_keep() returns void
  language plpgsql set client_min_messages = warning as $$
begin
  create temporary table unit_count on commit drop as select * from unit_counts();
  delete from state;
  delete from lga;
  delete from ward;
  insert into state (state, state_code, zone, zone_code, frames)
  select state, code, zone, zone_code, frames from unit_count where level = 'state' order by state;
  insert into lga (state, lga, lga_code, frames)
  select state, lga, code, frames from unit_count where level = 'lga' order by state, lga;
  insert into ward (state, lga, ward, ward_code, frames)
  select state, lga, ward, code, frames from unit_count where level = 'ward' order by state, lga, ward;
  drop table unit_count;
end $$;
comment on function unit_counts_keep() is 'Fills tables state, lga and ward with the frames of each unit.';
revoke execute on function unit_counts_keep from public;
