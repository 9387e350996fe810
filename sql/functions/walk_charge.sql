-- walk_charge: charges a walk over the items of a dataset, or its file, and returns the ids of what the balance covers.
--   org, key        the payer
--   request         the call, as in call_charge
--   reading         the walk: what the key reads; or "file", a dataset and a version
--   layers, prices  the dataset, and the credits that it costs
-- Returns null where the key has paid for the walk by another call within the last hour, or its organisation for the file.
-- The lock comes first: of two pages, or downloads, that come at once, one is charged.
create or replace function walk_charge(org text, key text, request text, reading text, layers text[], prices int[]) returns text[]
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  is_file constant boolean := reading like 'file %';
  reader constant text := case when is_file then '' else key end;
  charged text[];
begin
  perform from account where org_id = org for no key update;
  update paid_walk set is_shared = true
  where org_id = org and key_id = reader and walk = reading and request_id <> request
    and (is_file or paid_at > ledger_clock() - interval '1 hour');
  if found then
    return null;
  end if;
  charged := call_charge(org, key, request, layers, prices);
  if charged <> '{}' then
    insert into paid_walk (org_id, key_id, walk, request_id, paid_at)
    values (org, reader, reading, request, ledger_clock())
    on conflict on constraint paid_walk_pkey do update
      set request_id = excluded.request_id, paid_at = excluded.paid_at, is_shared = false
      where paid_walk.request_id <> excluded.request_id;
  end if;
  return charged;
end $$;
comment on function walk_charge(text, text, text, text, text[], int[]) is
  'Charges a walk over the items of a dataset, once an hour, or its file, once, and returns the ids of what the balance covers; null where it is paid for.';
revoke execute on function walk_charge from public;
