-- index_behind: whether an older release made the index, and no migrate has kept for it what this release needs.
-- The frames get their order, and the frames of features their numbers and extents, in the transaction that keeps the rest.
-- A new database has no units yet, not even the country. The table of frames is not read: it is locked while an import changes the index.
select not exists (select from unit) or exists (select from unit where frames > 0) and (
  not exists (select from frame_order) or not exists (select from value_array where version = 0 and name = 'home_id')
  or (exists (select from feature_frame) and not exists (select from feature_frame where number is not null))
) as "isBehind"
