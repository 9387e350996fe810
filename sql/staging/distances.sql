-- distances: measures the distances of the staged frames to the features of each dataset that has distances.
select distances_stage() as staged
