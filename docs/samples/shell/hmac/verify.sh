#!/usr/bin/env bash
# Checks a request that Pierhead signed: ./verify.sh POST https://… headers.txt < body.json
# HMAC_SECRET holds the HMAC secret. 300 seconds are allowed between its clock and yours.
set -euo pipefail
method=$1
url=$2
headers=$3; now=${4:-$(date +%s)}
sent() { awk -v name="$1" '{ at = index($0, ": ") } tolower(substr($0, 1, at - 1)) == name { print substr($0, at + 2); exit }' "$headers"; }
client_id=$'cid_1'
[[ $(sent $'x-client-id') == "$client_id" ]] || exit 1
timestamp=$(sent $'x-timestamp')
[[ $timestamp =~ ^[1-9][0-9]{0,18}$ ]] || exit 1
age=$((now - timestamp))
((age <= 300 && age >= -300)) || exit 1
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
cat > "$folder/body"
{ printf '%s' "$method"; printf '%s' $'.'; printf '%s' "$url"; printf '%s' $'.'; printf '%s' "$client_id"; printf '%s' $'.'; printf '%s' "$timestamp"; printf '%s' $'.'; cat "$folder/body"; } > "$folder/text"
given=$(sent $'x-signature')
[[ -n $HMAC_SECRET ]] || exit 1
if [[ $HMAC_SECRET == whsec_* ]]; then key() { printf '%s' "${HMAC_SECRET#whsec_}" | openssl base64 -d -A; }
else key() { printf '%s' "$HMAC_SECRET"; }; fi
openssl dgst -sha256 -mac HMAC -macopt "hexkey:$(key | od -An -v -tx1 | tr -d ' \n')" -binary "$folder/text" > "$folder/signature"
signature=$(cat "$folder/signature" | openssl base64 -A)
# Digests are compared: their time tells nothing of where the signatures differ.
digest() { printf '%s' "$1" | openssl dgst -sha256 -r; }
[[ $(digest "$given") == "$(digest "$signature")" ]]
