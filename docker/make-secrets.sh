#!/bin/sh
# Makes the folder "secrets" for docker-compose.yml, with passwords that nobody has seen: sh docker/make-secrets.sh
# The folder is closed to other users of this machine; its files are not, as the containers have users of their own.
set -eu
umask 022
mkdir -m 700 secrets
cd secrets
for who in postgres owner service analyst; do
  head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n' > "${who}_password"
done
for who in owner service; do
  printf 'postgres://frames_%s:%s@database:5432/frames' "$who" "$(cat "${who}_password")" > "${who}_url"
done
# Empty: answers come unworded.
: > anthropic_api_key
