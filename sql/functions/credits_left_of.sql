-- credits_left_of: the credits that a key, or a person in the app, may still spend; null where only the balance limits it.
--   org, payer  the key or the person
create or replace function credits_left_of(org text, payer text) returns bigint
  language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  if payer like 'per\_%' then
    return credits_left_today(org, payer);
  end if;
  return (select least(daily_credits, monthly_credits) from caps_left(org, payer));
end $$;
comment on function credits_left_of(text, text) is
  'The credits that a key, or a person in the app, may still spend; null where only the balance limits it.';
