-- Up Migration

-- Who imports datasets learns which names and synonyms people ask for that the catalogue lacks.

create table unknown_word (
  org_id text constraint unknown_word_org_id_fkey references organisation on delete cascade,
  month date constraint month_begins check (extract(day from month) = 1),
  word text constraint word_is_short check (char_length(word) between 3 and 30) constraint word_is_one check (word !~ '[0-9@.[:space:]]'),
  times bigint not null constraint times_positive check (times > 0),
  constraint unknown_word_pkey primary key (org_id, month, word)
);
create index unknown_word_month_idx on unknown_word (month);
comment on table unknown_word is
  'Words of answered questions that no name of the catalogue has, counted by organisation and month, without the questions.';
comment on column unknown_word.org_id is 'The organisation whose people or keys asked.';
comment on column unknown_word.month is 'The first day of the month, UTC. The service removes the row twelve months later.';
comment on column unknown_word.word is 'The word in lower case without accents: 3 to 30 letters.';
comment on column unknown_word.times is 'Number of questions that had it.';
comment on constraint month_begins on unknown_word is 'A month is its first day.';
comment on constraint word_is_short on unknown_word is 'A word has 3 to 30 characters.';
comment on constraint word_is_one on unknown_word is 'A word has no digit, no space, and nothing of an address.';
comment on constraint times_positive on unknown_word is 'A row counts at least one question.';
comment on index unknown_word_pkey is 'The words of an organisation by month.';
comment on index unknown_word_month_idx is 'Rows that the service may remove.';
