#!/usr/bin/env bash
# Makes the role that serves, which owns nothing; `pierhead migrate` gives it its rights.
set -Eeuo pipefail
psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --set password="$(cat /run/secrets/serving-password)" \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<<"create role pierhead_serving login password :'password'"
