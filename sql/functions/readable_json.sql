-- readable_json: properties of a feature, or {} where PostgreSQL cannot read a text in them.
--   document  as the file had it
-- PostgreSQL has no text for \u0000 and for half a surrogate pair, and fails on every look into such a document. Pairs and
-- escaped backslashes are taken out first, since they only look like it.
create or replace function readable_json(document json) returns json
  language sql immutable parallel safe
  return case
    when position('\u' in document::text) = 0 then document
    when regexp_replace(document::text, '\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}', '', 'g')
      ~ '\\u(0000|[dD][89a-fA-F])' then '{}'
    else document
  end;
comment on function readable_json(json) is 'Properties of a feature, or {} where PostgreSQL cannot read a text in them.';
