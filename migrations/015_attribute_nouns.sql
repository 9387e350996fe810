-- Up Migration

-- Sentences name what a value counts or measures: "1 person", "20,269 people". A label is a heading, and may be no noun.

alter table attribute add column noun text, add column plural text;
comment on column attribute.noun is 'One of what its values count or measure, such as person, as sentences say it.';
comment on column attribute.plural is 'Several of them, such as people.';
