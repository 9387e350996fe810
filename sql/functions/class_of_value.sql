-- class_of_value: the class that a frame has by a value of a category: the value, or the unit that it names.
--   value   without blanks around it
--   shared  of the attribute: values that are the name of several units
--   level   attribute.repeats
--   id      the frame
-- PostgreSQL puts this body in the place of a call: only a shared name calls unit_class.
create or replace function class_of_value(value text, shared text[], level text, id bigint) returns text
  language sql stable parallel safe as $$
  select case when value = any(shared) then unit_class(value, level, id) else value end
$$;
comment on function class_of_value(text, text[], text, bigint) is 'The class that a frame has by a value of a category: one name of several units is several classes.';
