-- people_tables: the tables that the web app alone works with. The service of the API may not read them.
create or replace function people_tables() returns text[]
  language sql immutable parallel safe
  return array['person', 'membership', 'session', 'sign_in_link', 'sign_in_attempt', 'passkey', 'key_event'];
comment on function people_tables() is 'The tables of people and events: frames_console works with them, and frames_service may not read them.';
