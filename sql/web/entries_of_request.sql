-- entries_of_request: the entries of an organisation's account that a call made, in their order.
--   $1 org_id      text
--   $2 request_id  text
-- index: credit_entry_once
-- budget: buffers <= 20 + 8 * rows, rows read <= 4 * rows
-- example: 'org_000000000000', '00000000-0000-4000-8000-000000000000'
-- The example finds no row, since ids are random.
-- null: keyId
select credit_entry.entry_id::text as "entryId", credit_entry.key_id as "keyId"
from credit_entry
where credit_entry.org_id = $1::text and credit_entry.request_id = $2::text
order by credit_entry.entry_id
