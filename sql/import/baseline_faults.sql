-- baseline_faults: the first ten staged rows that cannot be kept, each with its reason; no row when all can.
--   $1 weights  text[]  attributes that weight an average
-- example: '{mkt_households}'
select line as line, reason as reason from baseline_faults($1::text[])
