#!/bin/sh
# Run once, by the image of PostGIS, in the new database: makes the four roles, with passwords from the secrets.
set -eu
secrets=${SECRETS:-/run/secrets}
OWNER_PASSWORD=$(cat "$secrets/owner_password") SERVICE_PASSWORD=$(cat "$secrets/service_password") \
  CONSOLE_PASSWORD=$(cat "$secrets/console_password") ANALYST_PASSWORD=$(cat "$secrets/analyst_password") \
  psql -X -U postgres -d "${POSTGRES_DB:-frames}" -f "${ROLES:-/roles.sql}"
