-- datasets: the datasets in the order of their ids.
select layer_id as layer from dataset order by layer_id
