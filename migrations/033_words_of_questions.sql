-- Up Migration

-- The words by which questions find an attribute, and what an owner says of the properties of features.

alter table attribute
  add column verbs text[] not null default '{}',
  add column adjectives text[] not null default '{}',
  add column antonyms text[] not null default '{}';
comment on column attribute.verbs is 'Verbs that say nothing more beside its name: languages are spoken.';
comment on column attribute.adjectives is 'What a frame with a high value is: steep.';
comment on column attribute.antonyms is 'What a frame with a low value is: flat.';
alter table dataset add column property_entries jsonb not null default '{}' constraint property_entries_are_object check (jsonb_typeof(property_entries) = 'object');
comment on column dataset.property_entries is 'Entries of the properties of its features, by their names: label, unit, summary, and words as an attribute has them.';
comment on constraint property_entries_are_object on dataset is 'The entries of properties are an object of JSON.';
