#!/usr/bin/env bash
# Prints the headers that sign a request: ./sign.sh POST https://… < body.json
# PRIVATE_KEY_FILE names the file of your private key (PKCS #8, PEM). Send the very bytes that were signed.
set -euo pipefail
method=$1
url=$2
client_id=$'cid_1'
timestamp=$(date +%s)
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
cat > "$folder/body"
{ printf '%s' "$method"; printf '%s' $'.'; printf '%s' "$url"; printf '%s' $'.'; printf '%s' "$client_id"; printf '%s' $'.'; printf '%s' "$timestamp"; printf '%s' $'.'; cat "$folder/body"; } > "$folder/text"
openssl dgst -sha256 -sign "$PRIVATE_KEY_FILE" -keyform PEM -out "$folder/signature" "$folder/text"
signature=$(cat "$folder/signature" | openssl base64 -A)
printf '%s: %s\n' $'X-Client-Id' "$client_id"
printf '%s: %s\n' $'X-Timestamp' "$timestamp"
printf '%s: %s\n' $'X-Signature' "$signature"
