-- pairs_keep: completes the rows of feature_frame that a release made which kept less of them.
--   layer  the dataset
-- An import and a new index make them whole: migrate calls this, and totals_keep, for an import of the release before.
create or replace function pairs_keep(layer text) returns void
  language plpgsql as $$
declare
  served dataset;
  lacking int[];
begin
  select * into served from dataset where layer_id = layer;
  if served.kind in ('lines', 'polygons') then
    lacking := array(select distinct feature_no from feature_frame where version = served.version and extent is null);
  end if;
  if lacking <> '{}' then
    update feature_frame as pair set number = made.number, extent = made.extent
    from feature_frame_rows(served.version, lacking) as made
    where pair.version = served.version and pair.frame_id = made.frame_id and pair.feature_no = made.feature_no;
  end if;
  update feature_frame as pair set number = frame_order.number
  from frame_order
  where pair.version = served.version and pair.number is null and frame_order.frame_id = pair.frame_id;
end $$;
comment on function pairs_keep(text) is 'Completes the rows of feature_frame that a release made which kept less of them.';
revoke execute on function pairs_keep from public;
