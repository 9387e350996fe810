-- intervals_put: keeps the staged bounds and draws, under a version that nobody reads yet.
--   $1 version  bigint
-- example: 1000000
insert into frame_interval (version, attribute, frame_id, lower, upper, draws)
select $1::bigint, source.attribute, source.frame_id, coalesce(source.lower, bound.lower), coalesce(source.upper, bound.upper), source.draws
from staging.interval_source as source
left join lateral draws_interval(source.draws) as bound on source.draws is not null
order by source.attribute, source.frame_id
