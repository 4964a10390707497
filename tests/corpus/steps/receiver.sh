# shellcheck shell=bash
# The receiver's side, as the contract has it, written from the request alone: it says of every request here that it is refused,
# and of the same request without its mistake that it is accepted.

# header KEY: the value under the agreed name, names in any case; fails where there is none.
header() {
  local i
  for i in "${!header_names[@]}"; do
    [[ ${header_names[i],,} == "${agreed[name_$1],,}" ]] || continue
    printf '%s' "${header_values[i]}"
    return 0
  done
  return 1
}

# Is every header there that the template needs, and equal to the stored one?
values_hold() {
  local part value
  for part in ${agreed[parts]}; do
    case $part in
      request_method | url | payload) continue ;;
    esac
    value=$(header "$part") || return 1
    case $part in
      client_id) [[ $value == "${agreed[api_client_id]}" ]] || return 1 ;;
      identity | merchant_id) [[ $value == "${agreed[$part]}" ]] || return 1 ;;
    esac
  done
  time_holds
}

# Within 300 s of our clock, in the agreed unit.
time_holds() {
  local value ms
  value=$(header timestamp) || return 1
  [[ $value =~ ^[0-9]{1,19}$ ]] || return 1
  case ${agreed[precision]} in
    seconds) ms=$((${#value} > 15 ? 0 : value * 1000)) ;;
    milliseconds) ms=$value ;;
    microseconds) ms=$((value / 1000)) ;;
    nanoseconds) ms=$((value / 1000000)) ;;
  esac
  local apart=$((ms - agreed[received_at]))
  [[ ${apart#-} -le 300000 ]]
}

# The signature's bytes from its header, in "$room/claimed". Padding is not looked at: of two alphabets only a character tells.
decode_signature() {
  local value before=${agreed[around]%%|*} after=${agreed[around]#*|}
  value=$(header signature) || return 1
  [[ $value == "$before"*"$after" ]] || return 1
  value=${value#"$before"}
  value=${value%"$after"}
  case ${agreed[encoding]} in
    hex) [[ $value =~ ^([0-9a-f]{2})+$ ]] && xxd -r -p <<<"$value" >"$room/claimed" ;;
    base64) [[ $value =~ ^[A-Za-z0-9+/]+=*$ ]] && from_base64 "$value" ;;
    base64url) [[ $value =~ ^[A-Za-z0-9_-]+=*$ ]] && from_base64 "$(tr '_-' '/+' <<<"$value")" ;;
  esac
}

from_base64() {
  local bare=${1%%=*}
  while [[ $((${#bare} % 4)) -ne 0 ]]; do bare+==; done
  base64 -d <<<"$bare" >"$room/claimed" 2>/dev/null
}

# expected_text PAYLOAD-FILE: the agreed text over that payload.
expected_text() {
  local part separator='' url=${agreed[path]}${agreed[query]}
  [[ ${agreed[url_form]} == full ]] && url=${agreed[base]}$url
  for part in ${agreed[parts]}; do
    printf '%s' "$separator"
    separator=${agreed[separator]}
    case $part in
      request_method) printf POST ;;
      url) printf '%s' "$url" ;;
      payload) cat "$1" ;;
      *) header "$part" ;;
    esac
  done
}

# signed_by_key TEXT-FILE: does the claimed signature fit?
signed_by_key() {
  local digest
  digest=$(digest_option "${agreed[hash]}")
  if [[ ${agreed[algorithm]} == HMAC ]]; then
    hmac "$1" "${agreed[hash]}" "$(key_hex "${agreed[key]}" text)" | cmp -s - "$room/claimed"
    return
  fi
  openssl dgst "$digest" -verify "$room/keys/${agreed[key]}.pub" -signature "$room/claimed" "$1" >/dev/null 2>&1 && return
  [[ ${agreed[algorithm]} == ECDSA ]] && raw_to_der &&
    openssl dgst "$digest" -verify "$room/keys/${agreed[key]}.pub" -signature "$room/claimed.der" "$1" >/dev/null 2>&1
}

# r‖s of the curve's very length as DER, in "$room/claimed.der".
raw_to_der() {
  local bytes hex body
  bytes=$(coordinate_bytes "${agreed[key]}")
  hex=$(xxd -p -c0 "$room/claimed")
  [[ ${#hex} -eq $((bytes * 4)) ]] || return 1
  body=$(der_integer "${hex:0:bytes*2}")$(der_integer "${hex:bytes*2}")
  printf '30%s%s' "$(der_length "${body}")" "$body" | xxd -r -p >"$room/claimed.der"
}

der_integer() {
  local hex=$1
  while [[ $hex == 00?* ]]; do hex=${hex:2}; done
  [[ $hex == [89a-f]* ]] && hex=00$hex
  printf '02%s%s' "$(der_length "$hex")" "$hex"
}

der_length() {
  local length=$((${#1} / 2))
  if [[ $length -lt 128 ]]; then printf '%02x' "$length"; else printf '81%02x' "$length"; fi
}

# Does the contract accept the request at hand? The raw body first, then the body in the app's form.
accepted() {
  local gaps=compact
  values_hold && decode_signature || return 1
  expected_text "$room/body" >"$room/expected"
  signed_by_key "$room/expected" && return
  [[ ${agreed[spaces]} -eq 1 ]] && gaps=spaced
  in_form "$gaps" "${agreed[sort]}" plain 0 <"$room/body" >"$room/reprinted"
  expected_text "$room/reprinted" >"$room/expected"
  signed_by_key "$room/expected"
}
