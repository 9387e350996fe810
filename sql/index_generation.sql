-- index_generation: which index is being served.
-- budget: buffers <= 2, rows read <= 1
-- A database put back from a backup counts its generations anew: the time of the switch tells them apart.
select generation::text as generation, switched_at::text as "switchedAt"
from index_generation
