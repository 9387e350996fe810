-- features_vacuum: gathers statistics of feature datasets. The planner knows nothing of new rows until then, and on the
-- embedded database no autovacuum does it.
vacuum (analyze) feature, feature_frame, dataset, attribute
