-- derived_keep: makes the rows of a table of the index anew, as the function <table>_rows defines them.
--   derived  frame_run, unit_area, unit, frame_unit or frame_order
-- Tables have no schema here: a new index calls it in schema staging. The doctor holds a table against the same function.
create or replace function derived_keep(derived text) returns void
  language plpgsql as $$
begin
  execute format('delete from %I', derived);
  execute format('insert into %I select * from %I()', derived, derived || '_rows');
  -- Features know the numbers of their frames: totals_keep looks these up again.
  if derived = 'frame_order' then
    update feature_frame set number = null;
  end if;
end $$;
comment on function derived_keep(text) is 'Makes the rows of a table of the index anew, as the function that ends in _rows defines them.';
revoke execute on function derived_keep from public;
