# shellcheck shell=bash
# Which requests there are: each cause alone, `cause variants`; two at once, `first second`; and strangers (see strangers.sh).

common_causes='url-form 4, url-query 4, url-scheme 4, url-slash 4, url-host 4, method-case 3, method 4,
  body-reserialised 5, body-sorted 4, body-empty 3, body-newline 4, body-bom 3, body-escaped-unicode 4,
  timestamp-unit 5, timestamp-skew 5, timestamp-mismatch 5, hash 5, encoding 5, previous-key 3, other-app-key 3, double-hash 3,
  header-name 5, missing-header 5, client-id 5, client-id-signed 4, missing-placeholder 6, template-order 3, template-separator 4,
  signature-template 4, identity 3, merchant-id 3'

declare -A own_causes=(
  [HMAC]='secret-base64 3, secret-hex 3, secret-newline 3'
  [RSA2]='rsa-pss 4'
  [ECDSA]='ecdsa-raw-unpadded 4'
)

common_pairs='url-form encoding, body-sorted url-slash, hash encoding, method-case url-slash, body-newline encoding,
  body-reserialised body-escaped-unicode, timestamp-unit encoding, timestamp-skew url-form, client-id header-name, previous-key url-slash,
  client-id-signed hash, template-separator method-case, signature-template encoding, url-query timestamp-unit'

declare -A own_pairs=(
  [HMAC]='secret-base64 encoding, secret-newline url-slash, secret-hex hash, url-host body-empty'
  [RSA2]='rsa-pss hash, double-hash encoding, other-app-key client-id, url-scheme template-order'
  [ECDSA]='missing-placeholder encoding, double-hash url-form, body-bom hash, merchant-id timestamp-skew'
)

# each LIST FUNCTION WORD…: calls the function with the words and then those of each item of the comma-separated list.
each() {
  local list=$1 item words
  shift
  while IFS= read -r -d, item; do
    read -ra words <<<"${item//$'\n'/ }"
    "$@" "${words[@]}"
  done <<<"$list,"
}
