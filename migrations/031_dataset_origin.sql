-- Up Migration

-- Where a dataset comes from, as its owner says it with an import.

alter table dataset add column origin jsonb not null default '{}' constraint origin_is_object check (jsonb_typeof(origin) = 'object');
comment on column dataset.origin is 'Where it comes from: an object with licence, source, url, citation, released and flags, as far as its owner gave them.';
comment on constraint origin_is_object on dataset is 'The origin is an object of JSON.';
