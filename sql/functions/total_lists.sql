-- total_lists: the lists of columns that totals_of_baseline puts into its statements, for some attributes of a baseline.
--   layer        the dataset
--   first, last  the attributes, counted from 1 in their order
-- Column aN holds attribute N: a number, or the text of a category. Columns rN, tN, wN, lN and hN hold how many frames
-- record it, the total (for a weighted mean, of numbers times weights), the sum of weights, the lowest, the highest.
create or replace function total_lists(layer text, first int, last int,
  out columns text, out record text, out sums text, out wholes text, out parts text, out classes text, out numbers text)
  language plpgsql stable as $$
begin
  with listed as (  -- the attributes in order
    select row_number() over (order by place, name) as n, name, type, summary, weight, shared, repeats from attribute where layer_id = layer
  ), asked as (  -- those asked for, each with what weights it: a weight that is no number weighs nothing
    select listed.*, case
        when listed.weight = 'area' then 'row.area_km2'
        when other.type = 'number' then format('row.a%s', other.n)
        when other.type = 'category' then format('plain_number(row.a%s)', other.n)
      end as share
    from listed
    left join listed as other on other.name = listed.weight and listed.weight <> 'area'
    where listed.n between first and last
  ), read as (  -- the cells to read: a name of over 63 bytes cannot name a column of the record
    select listed.*, octet_length(name) <= 63 as is_column,
      case when octet_length(name) <= 63 then format('cell.%I', name) else format('(baseline_row.recorded ->> %L)', name) end as cell
    from listed
    where n between first and last or name in (select weight from asked)
  )
  select
    -- Most numbers have the simple form that is looked for first; the expression of plain_number takes four times as long.
    (select string_agg(case type
        when 'number' then format(
          $c$case when octet_length(%1$s) <= 30 and %1$s ~ '^-?(0|[1-9]\d*)(\.\d+)?$' then %1$s::numeric else plain_number(%1$s) end as a%2$s$c$, cell, n)
        else format($c$nullif(class_of_value(btrim(%s), %L::text[], %L, placed.frame_id), '') as a%s$c$, cell, shared, repeats, n)
      end, ', ' order by n) from read),
    (select 'cross join lateral json_to_record(baseline_row.recorded) as cell (' || string_agg(format('%I text', name), ', ' order by n) || ')'
      from read where is_column),
    string_agg(format('count(row.a%s) as r%1$s', n) || case
        when type <> 'number' then ''
        when share is null then format(', sum(row.a%s) as t%1$s, min(row.a%1$s) as l%1$s, max(row.a%1$s) as h%1$s', n)
        else format($c$, sum(row.a%1$s * %2$s) filter (where %2$s > 0) as t%1$s, sum(%2$s) filter (where %2$s > 0 and row.a%1$s is not null) as w%1$s,
          min(row.a%1$s) as l%1$s, max(row.a%1$s) as h%1$s$c$, n, share)
      end, ', ' order by n),
    string_agg(format('sum(part.r%s) as r%1$s', n)
      || case when type = 'number' then format(', sum(part.t%s) as t%1$s, min(part.l%1$s) as l%1$s, max(part.h%1$s) as h%1$s', n) else '' end
      || case when type = 'number' and share is not null then format(', sum(part.w%s) as w%1$s', n) else '' end, ', ' order by n),
    string_agg(format('(%L, %L, part.r%s, ', name, summary, n) || case
        when type <> 'number' then 'null, null, null, null)'
        else format('part.t%s, %s, part.l%1$s, part.h%1$s)', n, case when share is null then 'null' else format('part.w%s', n) end)
      end, ', ' order by n),
    string_agg(format('(%L, row.a%s)', name, n), ', ' order by n) filter (where type = 'category' and summary = 'mode'
      and exists (select from class where class.layer_id = layer and class.name = asked.name)),
    string_agg(format('(%L, row.a%s)', name, n), ', ' order by n) filter (where type = 'number')
  into columns, record, sums, wholes, parts, classes, numbers
  from asked;
end $$;
comment on function total_lists(text, int, int) is 'The lists of columns that totals_of_baseline puts into its statements.';
