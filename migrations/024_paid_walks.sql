-- Up Migration

-- A walk over the items of a dataset with a price is charged once an hour, whatever its pages: GDAL reads a layer in
-- hundreds of them, and some of these twice.

create table paid_walk (
  org_id text constraint paid_walk_org_id_fkey references organisation on delete cascade,
  key_id text,
  walk text,
  request_id text not null,
  paid_at timestamptz not null,
  is_shared boolean not null default false,
  constraint paid_walk_pkey primary key (org_id, key_id, walk)
);
create index paid_walk_paid_at_idx on paid_walk (paid_at);
comment on table paid_walk is 'Walks of /ogc that are paid for. For an hour, no page of the walk is charged again.';
comment on column paid_walk.org_id is 'The organisation that paid.';
comment on column paid_walk.key_id is 'The key of the walk.';
comment on column paid_walk.walk is 'A hash of the collection, the version of its dataset, and the area and the filter that choose the items.';
comment on column paid_walk.request_id is 'The call that was charged: its X-Request-Id.';
comment on column paid_walk.paid_at is 'Instant of the charge. The service removes the row a day later.';
comment on column paid_walk.is_shared is 'True once another call had a page of the walk for this charge, which is then not given back.';
comment on index paid_walk_pkey is 'The charge of a walk.';
comment on index paid_walk_paid_at_idx is 'Rows that the service may remove.';
