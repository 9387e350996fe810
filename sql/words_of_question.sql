-- words_of_question: the stems of words.
--   $1 words  text[]  words of a question, lower case, without accents
-- budget: buffers <= 20, rows read <= 800
-- example: '{people,marembe}'
-- Reads no table.
-- A stop word has no stem.
-- json: stems Record<string, string>
select coalesce(json_object_agg(word, stem), '{}') as stems
from (select word, (ts_lexize('english_stem', word))[1] as stem from unnest($1::text[]) as given (word)) as stemmed
where stem <> word
