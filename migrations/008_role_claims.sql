-- Up Migration

-- A role that the claims of an OpenID provider give ends with the claim. A role that people of the organisation gave,
-- by an invitation or on the command line, does not.
alter table membership add column from_claim boolean not null default false;
comment on column membership.from_claim is
  'True where the claims of an OpenID provider gave the role: each sign-in with the provider changes or ends it.';
