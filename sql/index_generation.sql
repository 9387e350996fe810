-- index_generation: the number of the index being served, and the time of the switch to it.
-- budget: buffers <= 2, rows read <= 1
-- A database restored from a backup gives a number again: the time tells both apart.
select generation::text as generation, to_char(switched_at at time zone 'UTC', 'YYYYMMDD"T"HH24MISSUS"Z"') as "switchedAt"
from index_generation
