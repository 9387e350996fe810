-- Up Migration

-- The views of analysts read each value from an array of its row. To read it from the JSON took 200 times as long as from a
-- typed table, now twice. The next step of migrate keeps the rows that are here.

create table value_row (
  version bigint,
  frame_id bigint,
  numbers numeric[],
  texts text[],
  constraint value_row_pkey primary key (version, frame_id)
);
-- A compressed array would be unpacked for each of its values.
alter table value_row set (toast_tuple_target = 8160);
comment on table value_row is 'The values of each row of a baseline as numbers and texts: the views of analysts read them.';
comment on column value_row.version is 'The import of the dataset: dataset.version.';
comment on column value_row.frame_id is 'The frame.';
comment on column value_row.numbers is 'At attribute.place the value of an attribute of numbers: null where it is no plain number, and for a category.';
comment on column value_row.texts is 'At attribute.place the value of a category, exactly as the file had it; null for a number.';
comment on index value_row_pkey is 'The values of a frame; the rows of a dataset.';
