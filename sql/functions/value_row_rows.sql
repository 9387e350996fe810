-- value_row_rows: what table value_row has of a baseline.
--   layer   the dataset
--   frames  those asked for; null for all
-- The JSON of each row is read once for 1,000 attributes: a function returns at most 1,664 columns.
create or replace function value_row_rows(layer text, frames bigint[])
  returns table (version bigint, frame_id bigint, numbers numeric[], texts text[])
  language plpgsql stable as $$
declare
  parts record;
begin
  select string_agg(format('part_%s.numbers', n), ' || ' order by n) as numbers, string_agg(format('part_%s.texts', n), ' || ' order by n) as texts,
    string_agg(format($q$
      cross join lateral (
        select array[%s]::numeric[] as numbers, array[%s]::text[] as texts from json_to_record(row.recorded) as cell (%s)
      ) as part_%s$q$, part.numbers, part.texts, part.columns, n), '' order by n) as read
    into parts
  from (
    select (place - 1) / 1000 as n,
      -- Most numbers have the simple form that is looked for first: plain_number takes four times as long.
      string_agg(case type
        when 'number' then format($c$case when octet_length(%1$s) <= 30 and %1$s ~ '^-?(0|[1-9]\d*)(\.\d+)?$' then %1$s::numeric else plain_number(%1$s) end$c$, cell)
        else 'null' end, ', ' order by place) as numbers,
      string_agg(case type when 'category' then cell else 'null' end, ', ' order by place) as texts,
      coalesce(string_agg(format('%I text', name), ', ') filter (where is_column), 'none text') as columns
    from (
      -- a name of over 63 bytes cannot name a column
      select place, name, type, octet_length(name) <= 63 as is_column,
        case when octet_length(name) <= 63 then format('cell.%I', name) else format('(row.recorded ->> %L)', name) end as cell
      from generate_series(1, (select max(attribute.place) from attribute where layer_id = layer)) as every (place)
      left join (select * from attribute where layer_id = layer) as known using (place)
    ) as listed
    group by 1
  ) as part;
  if parts.read is not null then
    return query execute format($q$
      select row.version, row.frame_id, %s, %s
      from baseline_row as row%s
      where row.version = (select version from dataset where layer_id = $1) and ($2 is null or row.frame_id = any($2))
      order by row.frame_id$q$, parts.numbers, parts.texts, parts.read)
    using layer, frames;
  end if;
end $$;
comment on function value_row_rows(text, bigint[]) is 'What table value_row has of a baseline: the values of each row as numbers and texts.';
