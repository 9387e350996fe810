-- unknown_words: the words of an organisation's questions that no name of the catalogue has, the newest month and the most frequent first.
--   $1 org   text
--   $2 most  int   of each month
-- index: unknown_word_pkey
-- budget: buffers <= 20 + 2 * rows, rows read <= 12 * rows
-- example: 'org_000000000000', 50
-- The example finds no row, since ids are random.
-- columns: month "Month", word "Word" wide, times "Times" number
with placed as (  -- one row per month and word, with its place in the month
  select month, word, times, row_number() over (partition by month order by times desc, word) as place
  from unknown_word
  where org_id = $1::text
    -- The rows of older months may wait for their removal.
    and month > date_trunc('month', statement_timestamp() at time zone 'UTC') - interval '12 months'
)
select to_char(month, 'YYYY-MM') as month, word as word, times::float8 as times
from placed
where place <= $2::int
order by month desc, place
