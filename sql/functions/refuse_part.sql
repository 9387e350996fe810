-- refuse_part: refuses a part of a figure in one sentence.
--   member    the member of the JSON that is wrong
--   came      its value; null where it is missing
--   accepted  what is accepted in its place
create or replace function refuse_part(member text, came jsonb, accepted text) returns void
  language plpgsql immutable as $$
begin
  raise exception '%: % came, % is accepted.', member, coalesce(case when length(came::text) > 80 then left(came::text, 80) || '...' else came::text end, 'nothing'), accepted
    using errcode = 'invalid_parameter_value';
end $$;
comment on function refuse_part(text, jsonb, text) is 'Refuses a part of a figure in one sentence.';
