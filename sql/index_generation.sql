-- index_generation: which index is being served.
select generation::text as generation
from index_generation
