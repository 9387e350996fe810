-- things_total: how many frames the index has, or features a dataset.
--   things  frames, or a dataset of features
create or replace function things_total(things text) returns int
  language plpgsql stable as $$
begin
  return case things
    when 'frames' then (select frames from unit where level = 'country')
    else (select items from dataset where layer_id = things)
  end;
end $$;
comment on function things_total(text) is 'How many frames the index has, or features a dataset.';
