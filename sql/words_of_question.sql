-- words_of_question: the stems of words, and the states and LGAs among phrases.
--   $1 words    text[]  words of a question, lower case, without accents
--   $2 phrases  text[]  one to four words of it that follow one another
-- index: frame_state_frame_id_idx
-- budget: buffers <= 200 + 5 * phrases, rows read <= 3000
-- example: '{people,marembe}', '{marembe}'
-- A stop word has no stem. There are few LGAs, so that reading all of them costs less than an index would.
with phrase as materialized (  -- each phrase as the names of units are stored
  select phrase, fold_name(phrase) as name from unnest($2::text[]) as given (phrase)
)
select
  (
    select coalesce(json_object_agg(word, stem), '{}')
    from (select word, (ts_lexize('english_stem', word))[1] as stem from unnest($1::text[]) as given (word)) as stemmed
    where stem <> word
  ) as stems,
  array(
    select phrase
    from phrase
    cross join lateral (
      -- A range in the order of the index: with "=" the planner reads frames by id until one of the state comes.
      select from frame where frame.state between phrase.name and phrase.name order by frame.state, frame.frame_id limit 1
    ) as found
    union
    select phrase from phrase join lga on lga.lga = phrase.name
  ) as places
