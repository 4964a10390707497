# shellcheck shell=bash
# Signatures over "$room/text", made by the OpenSSL command line, into "$room/signature".

# digest_option HASH: the name that openssl gives it.
digest_option() {
  local name=${1,,}
  printf '%s' "-${name/-/}"
}

# key_hex NAME HOW: an HMAC key's bytes in hex; HOW is what a sender takes the secret for.
key_hex() {
  local file=$room/keys/$1.secret
  case $2 in
    text) cat "$file" ;;
    base64) tr '_-' '/+' <"$file" | base64 -d ;;
    hex) xxd -r -p "$file" ;;
    newline) cat "$file" && printf '\n' ;;
  esac | xxd -p -c0
}

# hmac FILE HASH HEX: the bytes on standard output.
hmac() {
  openssl dgst "$(digest_option "$2")" -mac HMAC -macopt "hexkey:$3" -binary "$1"
}

# The input of the signing step: the text, or its digest where a sender hashes twice.
write_signed_bytes() {
  local digest
  digest=$(digest_option "${way[hash]}")
  case ${way[digest_first]} in
    no) cp "$room/text" "$room/to-sign" ;;
    raw) openssl dgst "$digest" -binary "$room/text" >"$room/to-sign" ;;
    hex) openssl dgst "$digest" -binary "$room/text" | xxd -p -c0 | tr -d '\n' >"$room/to-sign" ;;
  esac
}

sign() {
  if [[ ${way[scheme]} != usual ]] && sign_otherwise; then return; fi
  write_signed_bytes
  case ${agreed[algorithm]} in
    HMAC) hmac "$room/to-sign" "${way[hash]}" "$(key_hex "${way[key]}" "${way[secret]}")" >"$room/signature" ;;
    RSA2) sign_rsa ;;
    ECDSA) sign_ec ;;
  esac
}

sign_rsa() {
  local options=()
  [[ ${way[padding]} == pss-* ]] && options=(-sigopt rsa_padding_mode:pss -sigopt "rsa_pss_saltlen:${way[padding]#pss-}")
  openssl dgst "$(digest_option "${way[hash]}")" -sign "$room/keys/${way[key]}.pem" "${options[@]}" -out "$room/signature" "$room/to-sign"
}

sign_ec() {
  local bytes r s
  bytes=$(coordinate_bytes "${way[key]}")
  while :; do
    openssl dgst "$(digest_option "${way[hash]}")" -sign "$room/keys/${way[key]}.pem" -out "$room/signature" "$room/to-sign"
    [[ ${way[form]} == der ]] && return
    { read -r r && read -r s; } < <(openssl asn1parse -inform DER -in "$room/signature" | sed -n 's/.*INTEGER *://p')
    [[ ${way[form]} == raw ]] && break
    # Bytes of zero at the left are what a careless sender drops; most signatures have none, so another one is made.
    [[ ${#r} -lt $((bytes * 2)) || ${#s} -lt $((bytes * 2)) ]] || continue
    printf '%s%s' "$r" "$s" | xxd -r -p >"$room/signature"
    return
  done
  { padded "$r" "$bytes" && padded "$s" "$bytes"; } | xxd -r -p >"$room/signature"
}

# padded HEX BYTES
padded() {
  local zeros
  printf -v zeros '%*s' $(($2 * 2 - ${#1})) ''
  printf '%s%s' "${zeros// /0}" "$1"
}
