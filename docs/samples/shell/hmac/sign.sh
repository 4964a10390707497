#!/usr/bin/env bash
# Prints the headers that sign a request: ./sign.sh POST https://… < body.json
# HMAC_SECRET holds the HMAC secret. Send the very bytes that were signed.
set -euo pipefail
method=$1
url=$2
client_id=$'cid_1'
timestamp=$(date +%s)
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
cat > "$folder/body"
{ printf '%s' "$method"; printf '%s' $'.'; printf '%s' "$url"; printf '%s' $'.'; printf '%s' "$client_id"; printf '%s' $'.'; printf '%s' "$timestamp"; printf '%s' $'.'; cat "$folder/body"; } > "$folder/text"
if [[ $HMAC_SECRET == whsec_* ]]; then key() { printf '%s' "${HMAC_SECRET#whsec_}" | openssl base64 -d -A; }
else key() { printf '%s' "$HMAC_SECRET"; }; fi
openssl dgst -sha256 -mac HMAC -macopt "hexkey:$(key | od -An -v -tx1 | tr -d ' \n')" -binary "$folder/text" > "$folder/signature"
signature=$(cat "$folder/signature" | openssl base64 -A)
printf '%s: %s\n' $'X-Client-Id' "$client_id"
printf '%s: %s\n' $'X-Timestamp' "$timestamp"
printf '%s: %s\n' $'X-Signature' "$signature"
