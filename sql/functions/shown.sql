-- shown: the value of a figure as people read it.
--   op      the arithmetic of the figure; null for a single measure
--   value   exact
--   places  those of the measures, as places_of says them
create or replace function shown(op text, value numeric, places int) returns numeric
  language sql immutable parallel safe as $$
  select case op
    when 'ratio' then rounded(value, 2)
    when 'percent' then rounded(value, 1)
    when 'change' then trim_scale(round(value, 1))
    else rounded(value, places)
  end
$$;
comment on function shown(text, numeric, int) is 'The value of a figure as people read it.';
