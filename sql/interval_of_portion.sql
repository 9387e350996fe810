-- interval_of_portion: between which bounds the share lies that some frames have in a modelled total, in percent; no row without draws.
--   $1 frames     text[]  a frame_set
--   $2 layer      text    the baseline
--   $3 attribute  text
--   $4 some       text[]  some of them
-- index: attribute_pkey
-- budget: buffers <= 250000, rows read <= 60000
-- example: '{unit,marembe,lakeside}', 'lyr_population', 'pop_demest26', '{324378020}'
-- Each draw is divided by itself: draw n of both is of one run of the model. A run without a total has no share.
with added as materialized (  -- the draws of both, added up
  select draws_of_set($4::text[], $2::text, $3::text) as part, draws_of_set($1::text[], $2::text, $3::text) as whole
  from attribute
  where layer_id = $2::text and name = $3::text and draws is not null
), divided as (  -- one row
  select array_agg(100 * draw.part / nullif(draw.whole, 0) order by n) as draws, bool_and(draw.whole <> 0) as has_shares
  from added
  cross join lateral unnest(added.part, added.whole) with ordinality as draw (part, whole, n)
  where added.part is not null and added.whole is not null
)
select trim_scale(bound.lower)::text as lower, trim_scale(bound.upper)::text as upper
from divided
cross join lateral draws_interval(divided.draws) as bound
where divided.has_shares
