-- features_vacuum: gathers statistics of feature datasets, for the planner, and marks pages as all-visible.
-- Nothing else does it on the embedded database, which has no autovacuum.
vacuum (analyze) feature, feature_frame, unit_total, value_array, block_feature, attribute_spread, dataset, attribute
