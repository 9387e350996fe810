-- Up Migration

-- A dataset that costs credits a call is a file at a price of its own, which an organisation pays once for a version.

alter table licence
  add column file_price int,
  -- squawk-ignore constraint-missing-not-valid
  add constraint file_price_beside_price check (file_price > 0 and (file_price is null or price is not null));
comment on column licence.file_price is 'Whole credits for the dataset as a file, once for a version and an organisation; null where it is sold by the call alone.';
comment on constraint file_price_beside_price on licence is 'A file has a price, above zero, where a call has one.';

comment on table paid_walk is
  'What is paid for: walks of /ogc, of which no page is charged again for an hour, and versions of datasets that an organisation has bought as a file.';
comment on column paid_walk.key_id is 'The key of the walk; blank for a file, which every key of the organisation may read.';
comment on column paid_walk.walk is
  'A hash of the collection, the version of its dataset, and the area and the filter that choose the items; or "file", a dataset and a version.';
comment on column paid_walk.paid_at is 'Instant of the charge. The service removes the row of a walk a day later.';
comment on column paid_walk.is_shared is 'True once another call had a page or a file for this charge, which is then not given back.';
comment on index paid_walk_pkey is 'The charge of a walk or a file.';
comment on index paid_walk_paid_at_idx is 'Rows of walks that the service may remove.';
