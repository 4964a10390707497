#!/usr/bin/env bash
# Checks a request that Pierhead signed: ./verify.sh POST https://… headers.txt < body.json
# PUBLIC_KEY_FILE names the file of the platform's public key (SPKI, PEM). 300 seconds are allowed between its clock and yours.
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
encoded=$given
[[ -n $encoded && $given == "$encoded" ]] || exit 1
printf '%s' "$encoded" | openssl base64 -d -A > "$folder/signature"
[[ $(cat "$folder/signature" | openssl base64 -A) == "$encoded" ]] || exit 1
key=$PUBLIC_KEY_FILE
openssl dgst -sha256 -verify "$key" -signature "$folder/signature" "$folder/text" > /dev/null 2>&1 || exit 1
