-- Up Migration

-- How sure a modelled value is: bounds of each frame, or draws of the model, which are added up over any set of frames.

alter table attribute
  add column lower text,
  add column upper text,
  add column draws text,
  -- squawk-ignore constraint-missing-not-valid
  add constraint bounds_are_two check ((lower is null) = (upper is null)),
  -- squawk-ignore constraint-missing-not-valid
  add constraint draws_or_bounds check (draws is null or (summary = 'sum' and lower is null));
comment on column attribute.lower is 'The attribute of the same dataset that has the lower bound of each value, where the file has bounds.';
comment on column attribute.upper is 'The attribute that has the upper bound.';
comment on column attribute.draws is 'The column of the file that had the draws of the model, where it has any: frame_interval keeps them.';
comment on constraint bounds_are_two on attribute is 'A value has a lower and an upper bound, or none.';
comment on constraint draws_or_bounds on attribute is 'Draws are added up, and give the bounds of each frame by themselves.';

create table frame_interval (
  version bigint,
  attribute text,
  frame_id bigint,
  lower numeric not null,
  upper numeric not null,
  draws numeric[],
  constraint frame_interval_pkey primary key (version, attribute, frame_id) include (lower, upper)
);
comment on table frame_interval is 'Between which bounds a modelled value lies on each frame. View baseline has the values.';
comment on column frame_interval.version is 'The import of the dataset: dataset.version.';
comment on column frame_interval.attribute is 'The attribute, which has bounds or draws.';
comment on column frame_interval.frame_id is 'The frame.';
comment on column frame_interval.lower is 'The lower bound, as the file has it, or that of the 95 % interval of the draws.';
comment on column frame_interval.upper is 'The upper bound.';
comment on column frame_interval.draws is
  'The draws of the model; null for an attribute with bounds. Draw n of every frame is of one run of the model, so that they are added up by n.';
comment on index frame_interval_pkey is 'The interval of an attribute on a frame: tiles read its bounds from the index alone.';

create table unit_interval (
  version bigint,
  attribute text,
  unit_id bigint,
  lower numeric not null,
  upper numeric not null,
  draws numeric[] not null,
  constraint unit_interval_pkey primary key (version, attribute, unit_id) include (lower, upper)
);
comment on table unit_interval is 'The draws of each attribute added up over the frames of each unit, with their 95 % interval.';
comment on column unit_interval.version is 'The import of the dataset: dataset.version.';
comment on column unit_interval.attribute is 'The attribute, which has draws.';
comment on column unit_interval.unit_id is 'The unit.';
comment on column unit_interval.lower is 'The lower bound of the 95 % interval.';
comment on column unit_interval.upper is 'The upper bound.';
comment on column unit_interval.draws is 'The draws, added up by their number.';
comment on index unit_interval_pkey is 'The interval of an attribute over a unit.';
