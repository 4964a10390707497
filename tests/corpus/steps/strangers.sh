# shellcheck shell=bash
# Requests that fail for a reason which nobody can read off them: keys of nobody, altered bodies, other ways of signing.

declare -A strangers=(
  [HMAC]='random-bytes nobodys-key altered-body flipped-bit half-a-signature random-bytes another-order secret-before-text secret-after-body secret-before-text swapped-key-and-text capitals form-fields text-in-base64 another-order nobodys-key reversed-secret'
  [RSA2]='random-bytes nobodys-key altered-body flipped-bit half-a-signature random-bytes another-order no-digest-info public-key-as-secret capitals form-fields text-in-base64 another-order nobodys-key reversed-signature altered-body nobodys-key'
  [ECDSA]='random-bytes nobodys-key altered-body flipped-bit half-a-signature random-bytes another-order swapped-halves public-key-as-secret capitals form-fields text-in-base64 another-order nobodys-key reversed-signature altered-body nobodys-key'
)

# need_stranger KIND
need_stranger() {
  case $1 in
    altered-body | another-order)
      plain_manner
      agree_on_body plain-order
      ;;
    swapped-halves | half-a-signature) agreed[form]=raw ;;
  esac
}

# break_stranger KIND
break_stranger() {
  case $1 in
    altered-body) sent[altered]='s/"1\.10"/"11.10"/' ;;
    nobodys-key) way[key]=$(family "${agreed[algorithm]}")-nobody ;;
    *) way[scheme]=$1 ;;
  esac
}

# Ways of signing that are none of ours. Fails where the usual one is to go on (over another text).
sign_otherwise() {
  local usual=$room/usual
  case ${way[scheme]} in
    capitals) tr '[:lower:]' '[:upper:]' <"$room/text" >"$usual" ;;
    form-fields) printf 'app_id=app_abc123&client_id=%s&timestamp=%s' "${told[client_id]}" "$(told_time)" >"$usual" ;;
    text-in-base64) base64 -w0 "$room/text" >"$usual" ;;
    another-order) sed 's/"USD","amount":"1.10"/"EUR","amount":"730.00"/' "$room/text" >"$usual" ;;
    *)
      way[scheme_left]=${way[scheme]} way[scheme]=usual
      sign
      way[scheme]=${way[scheme_left]}
      mv "$room/signature" "$usual"
      bend_signature "$usual"
      return
      ;;
  esac
  mv "$usual" "$room/text"
  return 1
}

# bend_signature USUAL-FILE: a signature that is like the usual one only in its size, or not even so.
bend_signature() {
  local size hex secret=$room/keys/${way[key]}.secret
  size=$(stat -c %s "$1")
  hex=$(xxd -p -c0 "$1")
  case ${way[scheme]} in
    random-bytes) openssl rand "$size" ;;
    flipped-bit) printf '%s%02x' "${hex:0:-2}" $((16#${hex: -2} ^ 1)) | xxd -r -p ;;
    half-a-signature) head -c $((size / 2)) "$1" ;;
    swapped-halves) printf '%s%s' "${hex:${#hex}/2}" "${hex:0:${#hex}/2}" | xxd -r -p ;;
    reversed-signature) sed 's/../& /g' <<<"$hex" | tr ' ' '\n' | tac | tr -d '\n' | xxd -r -p ;;
    secret-before-text) cat "$secret" "$room/text" | openssl dgst "$(digest_option "${way[hash]}")" -binary ;;
    secret-after-body) cat "$room/body" "$secret" | openssl dgst -md5 -binary ;;
    swapped-key-and-text) hmac "$secret" "${way[hash]}" "$(xxd -p -c0 "$room/text")" ;;
    reversed-secret) hmac "$room/text" "${way[hash]}" "$(rev "$secret" | tr -d '\n' | xxd -p -c0)" ;;
    public-key-as-secret) hmac "$room/text" "${way[hash]}" "$(xxd -p -c0 "$room/keys/${way[key]}.pub")" ;;
    no-digest-info)
      openssl dgst "$(digest_option "${way[hash]}")" -binary "$room/text" >"$room/digest"
      openssl pkeyutl -sign -inkey "$room/keys/${way[key]}.pem" -in "$room/digest"
      ;;
  esac >"$room/signature"
}
