# shellcheck shell=bash
# One case as one line of JSON. Members of the settings that have their default value are left out.

# json_string TEXT
json_string() {
  local text=$1
  text=${text//\\/\\\\}
  text=${text//\"/\\\"}
  text=${text//$'\n'/\\n}
  printf '"%s"' "$text"
}

# member NAME TEXT [DEFAULT]: `,"name":"text"`, or nothing where the text is empty or the default.
member() {
  [[ -z $2 || $2 == "${3:-}" ]] || printf ',"%s":%s' "$1" "$(json_string "$2")"
}

# flag NAME 0|1
flag() {
  [[ $2 -eq 0 ]] || printf ',"%s":true' "$1"
}

payload_template() {
  local part separator=''
  for part in ${agreed[parts]}; do
    printf '%s{%s}' "$separator" "$part"
    separator=${agreed[separator]}
  done
}

# header_names_member: those that are not the default ones; case makes no difference.
header_names_member() {
  local key value names=''
  for key in signature timestamp client_id nonce identity merchant_id; do
    value=${agreed[name_$key]}
    [[ ${value,,} == "x-${key//_/-}" ]] || names+=$(member "$key" "$value")
  done
  [[ -z $names ]] || printf ',"header_names":{%s}' "${names:1}"
}

settings_json() {
  printf '{"enabled":true,"algorithm":"%s"' "${agreed[algorithm]}"
  member hash "${agreed[hash]}" SHA-256
  member encoding "${agreed[encoding]}" base64
  member timestamp_precision "${agreed[precision]}" seconds
  [[ -z ${agreed[nonce]:-} ]] || printf ',"nonce_length":%d' "${#agreed[nonce]}"
  member identity "${agreed[identity]:-}"
  header_names_member
  member payload_template "$(payload_template)" '{request_method}.{url}.{client_id}.{timestamp}.{payload}'
  member signature_template "${agreed[around]/|/{signature\}}" '{signature}'
  member url_form "${agreed[url_form]}" full
  flag payload_spaces "${agreed[spaces]}"
  flag payload_sort_keys "${agreed[sort]}"
  member api_client_id "${agreed[api_client_id]}"
  flag acknowledge_weak "${agreed[weak]}"
  printf '}'
}

# stored_key_name: the member that names the receiver's key.
stored_key_name() {
  if [[ ${agreed[algorithm]} == HMAC ]]; then printf hmac_secret; else printf partner_public_key; fi
}

request_json() {
  local i comma=''
  printf '{"method":"POST","target":%s,"headers":[' "$(json_string "${agreed[path]}${agreed[query]}")"
  for i in "${!header_names[@]}"; do
    printf '%s[%s,%s]' "$comma" "$(json_string "${header_names[i]}")" "$(json_string "${header_values[i]}")"
    comma=,
  done
  printf '],"body_base64":"%s"}' "$(base64 -w0 "$room/body")"
}

# write_line NAME CAUSE…: the request at hand, on standard output.
write_line() {
  local name=$1 causes
  shift
  causes=$(printf ',"%s"' "$@")
  printf '{"name":"%s","algorithm":"%s","expected":[%s],"settings":%s' "$name" "${agreed[algorithm]}" "${causes:1}" "$(settings_json)"
  member "$(stored_key_name)" "${agreed[key]}"
  member previous "${agreed[previous]:-}"
  [[ -z ${agreed[other]:-} ]] ||
    printf ',"other_apps":[{"id":"app_other1","%s":"%s","api_client_id":"cid_other"}]' "$(stored_key_name)" "${agreed[other]}"
  member merchant_id "${agreed[merchant_id]:-}"
  printf ',"public_base_url":"%s","received_at":%d,"request":%s}\n' "${agreed[base]}" "${agreed[received_at]}" "$(request_json)"
}
