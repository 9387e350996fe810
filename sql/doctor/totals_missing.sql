-- totals_missing: datasets that record something on frames, and have no totals.
-- index: frame_pkey, baseline_row_pkey, feature_frame_pkey
-- An import of the release before makes none.
select 'wrong' as severity, layer_id || ' has no totals over units.' as what,
  format(E'begin;\nselect totals_keep(%L);\nupdate index_generation set generation = generation + 1;\ncommit;', layer_id) as fix
from dataset
where not exists (select from attribute_spread where attribute_spread.version = dataset.version)
  and (exists (select from baseline_row join frame using (frame_id) where baseline_row.version = dataset.version)
    or exists (select from feature_frame where feature_frame.version = dataset.version))
order by layer_id
