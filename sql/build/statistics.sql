-- statistics: lets the planner know how many wards and cells there are before it joins them.
analyze staging.ward_area, staging.cell
