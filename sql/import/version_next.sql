-- version_next: the number of the next import, which is above that of every row.
-- index: dataset_version_once, baseline_row_pkey, feature_pkey, feature_frame_pkey
-- A restore of the tables without the sequence sets it back: nextval alone would then give a version that has rows.
-- Imports run one at a time, so that no other takes the number between nextval and setval.
with highest as (  -- the highest version of any row
  select greatest((select max(version) from dataset), (select max(version) from baseline_row),
    (select max(version) from feature), (select max(version) from feature_frame), 0) as version
)
select setval('dataset_version', greatest(nextval('dataset_version'), highest.version + 1))::text as version
from highest
