-- analyst_may: grants a role all that an analyst needs.
-- "frames migrate" calls it for frames_analyst.
--   analyst  the role
create or replace function analyst_may(analyst regrole) returns void
  language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4170002);
  execute format('grant usage on schema analyst, public to %s', analyst);
  execute format('grant select on layer_styles to %s', analyst);
  execute format('grant execute on function frame_at(float8, float8), frames_at(float8[], float8[]) to %s', analyst);
  perform analyst_grants();
end $$;
comment on function analyst_may(regrole) is
  'Grants a role what an analyst needs: to read schema analyst and the styles of QGIS, and to find the frames of points. "frames migrate" calls it for frames_analyst.';
revoke execute on function analyst_may from public;
