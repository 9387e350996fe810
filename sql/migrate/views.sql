-- views: makes the views of schema analyst that are missing or changed.
select analyst_views() as made
