-- overlaps: the wards whose areas hold middles of frames that other wards hold too, those without a frame first.
with shared as (  -- the frames whose middles several wards hold
  select frame_id from staging.cell_odd where is_held group by frame_id having count(*) > 1
)
select
  concat_ws(', ', odd.ward, odd.lga, odd.state) as ward,
  count(*)::int as middles,
  (count(*) filter (where (frame.state, frame.lga, frame.ward) is not distinct from (odd.state, odd.lga, odd.ward)))::int as kept,
  odd.ward is not null and not exists (
    select from staging.ward where (ward.state, ward.lga, ward.ward) = (odd.state, odd.lga, odd.ward)
  ) as "hasNoFrame"
from shared
join staging.cell_odd as odd using (frame_id)
join staging.frame using (frame_id)
group by odd.state, odd.lga, odd.ward
order by 4 desc, 2 desc, odd.state collate "C", odd.lga collate "C", odd.ward collate "C"
