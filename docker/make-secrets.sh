#!/bin/sh
# Makes the folder "secrets" for docker-compose.yml, with random passwords: sh docker/make-secrets.sh
# Other users of this machine cannot open the folder. The containers' users must read its files, so those are readable.
set -eu
umask 022
mkdir -m 700 secrets
cd secrets
for who in postgres owner service console analyst; do
  head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n' > "${who}_password"
done
for who in owner service console; do
  printf 'postgres://frames_%s:%s@database:5432/frames' "$who" "$(cat "${who}_password")" > "${who}_url"
done
# An empty key switches words off.
: > anthropic_api_key
