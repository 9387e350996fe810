-- index_generation: the number of the index being served, and the time of the switch to it.
-- budget: buffers <= 2, rows read <= 1
-- A database restored from a backup gives a number again: the time tells both apart.
select generation::text as generation, switched_at::text as "switchedAt"
from index_generation
