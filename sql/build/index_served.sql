-- index_served: the index being served, its size and what it was made from.
select generation::text as generation, frames::int as frames, source as source
from index_generation
