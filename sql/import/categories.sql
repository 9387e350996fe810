-- categories: the categories that datasets have.
select distinct category as category from dataset order by category
