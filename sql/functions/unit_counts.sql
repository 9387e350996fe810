-- unit_counts: what tables state, lga and ward have: the frames of each, with the lowest of differing codes.
-- The row of the country has the frames in no unit too.
-- It reads the frames once, on all cores: PostgreSQL uses them for a query that plpgsql returns, and not for an insert.
create or replace function unit_counts()
  returns table (level text, state text, lga text, ward text, code text, zone text, zone_code text, frames bigint)
  language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select case above when 7 then 'country' when 3 then 'state' when 1 then 'lga' else 'ward' end, state, lga, ward,
    case above when 3 then state_code when 1 then lga_code when 0 then ward_code end,
    case above when 3 then zone end, case above when 3 then zone_code end, coalesce(frames, 0)
  from (
    select state, lga, ward, min(state_code) as state_code, min(lga_code) as lga_code, min(ward_code) as ward_code,
      min(zone) as zone, min(zone_code) as zone_code, sum(frames)::bigint as frames, grouping(state, lga, ward) as above
    -- one row for each ward first: to sort every frame by three names takes five times as long
    from (
      select state, lga, ward, min(state_code) as state_code, min(lga_code) as lga_code, min(ward_code) as ward_code,
        min(zone) as zone, min(zone_code) as zone_code, count(*) as frames
      from frame
      group by state, lga, ward
      offset 0
    ) as counted
    group by grouping sets ((), (state), (state, lga), (state, lga, ward))
  ) as grouped
  -- frames in no state, or in no ward of their area, are a group too
  where above = 7 or above = 3 and state is not null or above = 1 and lga is not null or above = 0 and ward is not null;
end $$;
comment on function unit_counts() is 'The frames of each state, area and ward, with the lowest of differing codes: what tables state, lga and ward have.';
