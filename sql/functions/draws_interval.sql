-- draws_interval: the bounds between which the middle 95 % of some draws lie.
--   draws  at least 39 numbers, in any order
-- The quantiles 0.025 and 0.975, at the places (n + 1) * 0.025 and (n + 1) * 0.975 of the draws in order, between two draws by
-- their distance to them: type 6 of R, "weibull" of numpy. A truth of which the draws are samples lies inside in 95 of 100 cases,
-- for any number of draws.
create or replace function draws_interval(draws numeric[], out lower numeric, out upper numeric)
  language sql immutable parallel safe as $$
  select
    sorted[k] + part * (sorted[k + 1] - sorted[k]),
    sorted[n + 1 - k] - part * (sorted[n + 1 - k] - sorted[n - k])
  from (select array_agg(draw order by draw) as sorted, count(*)::int as n from unnest(draws) as draw) as ordered
  cross join lateral (select floor((n + 1) * 0.025)::int as k, (n + 1) * 0.025 - floor((n + 1) * 0.025) as part) as place
$$;
comment on function draws_interval(numeric[]) is
  'The 95 % interval of draws: their quantiles 0.025 and 0.975, as type 6 of R has them.';
