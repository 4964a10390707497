# shellcheck shell=bash
# A partner's side. `told` is what goes into the signed text, `sent` what travels, `way` how it is signed; a mistake changes one of them.

declare -A told sent way
declare -a header_names header_values

# Everything as agreed.
compose() {
  told=([method]=POST [scheme]=${agreed[base]%%://*} [host]=${agreed[base]#*://} [path]=${agreed[path]} [query]=${agreed[query]}
    [url_form]=${agreed[url_form]} [client_id]=${agreed[api_client_id]} [identity]=${agreed[identity]:-} [merchant_id]=${agreed[merchant_id]:-}
    [nonce]=${agreed[nonce]:-} [shift_ns]=0 [time]='' [gaps]=keep [sort]=0 [unicode]=keep [floats]=0 [before]='' [after]='' [empty]=0 [trim]=0)
  if [[ ${agreed[signs]} == form ]]; then
    told[gaps]=compact
    [[ ${agreed[spaces]} -eq 1 ]] && told[gaps]=spaced
    told[sort]=${agreed[sort]}
    told[unicode]=plain
  fi
  sent=([client_id]=${agreed[api_client_id]} [identity]=${agreed[identity]:-} [merchant_id]=${agreed[merchant_id]:-} [nonce]=${agreed[nonce]:-}
    [precision]=${agreed[precision]} [skew_s]=0 [without]=- [host]=${agreed[host_header]:-${agreed[base]#*://}} [altered]='')
  way=([parts]=${agreed[parts]} [separator]=${agreed[separator]} [hash]=${agreed[hash]} [encoding]=${agreed[encoding]} [key]=${agreed[key]}
    [secret]=text [padding]=pkcs1 [form]=${agreed[form]} [digest_first]=no [around]=${agreed[around]} [scheme]=usual)
  local key
  for key in signature timestamp client_id nonce identity merchant_id; do sent[name_$key]=${agreed[name_$key]}; done
}

# stamp NANOSECONDS PRECISION
stamp() {
  case $2 in
    seconds) printf '%d' $(($1 / 1000000000)) ;;
    milliseconds) printf '%d' $(($1 / 1000000)) ;;
    microseconds) printf '%d' $(($1 / 1000)) ;;
    nanoseconds) printf '%d' "$1" ;;
  esac
}

# The body as it travels, in "$room/body"; what a later hand made of it, too.
write_body() {
  printf '%s' "${body_text[${agreed[body]}]}" | in_form "${agreed[sent_gaps]}" 0 "${agreed[sent_unicode]}" 0 >"$room/body"
  printf '%s' "${agreed[sent_tail]}" >>"$room/body"
  cp "$room/body" "$room/signed-body"
  [[ -z ${sent[altered]} ]] || sed "${sent[altered]}" "$room/signed-body" >"$room/body"
}

# The payload as the sender put it into the text, in "$room/payload".
write_payload() {
  : >"$room/payload"
  [[ ${told[empty]} -eq 1 ]] && return
  printf '%s' "${told[before]}" >"$room/payload"
  in_form "${told[gaps]}" "${told[sort]}" "${told[unicode]}" "${told[floats]}" <"$room/signed-body" >"$room/form"
  if [[ ${told[trim]} -eq 1 ]]; then printf '%s' "$(cat "$room/form")"; else cat "$room/form"; fi >>"$room/payload"
  printf '%s' "${told[after]}" >>"$room/payload"
}

told_url() {
  local url=${told[path]}${told[query]}
  [[ ${told[url_form]} == full ]] && url=${told[scheme]}://${told[host]}$url
  printf '%s' "$url"
}

told_time() {
  local at_ns=$((agreed[at_ns] + sent[skew_s] * 1000000000 + told[shift_ns]))
  case ${told[time]} in
    '') stamp "$at_ns" "${sent[precision]}" ;;
    iso) date -u -d "@$((at_ns / 1000000000))" +%Y-%m-%dT%H:%M:%SZ ;;
    floor-*) stamp "$((at_ns / ${told[time]#floor-} * ${told[time]#floor-}))" "${sent[precision]}" ;;
  esac
}

# The text to be signed, in "$room/text".
write_text() {
  local part separator=''
  write_payload
  for part in ${way[parts]}; do
    printf '%s' "$separator"
    case $part in
      request_method) printf '%s' "${told[method]}" ;;
      url) told_url ;;
      timestamp) told_time ;;
      payload) cat "$room/payload" ;;
      *) printf '%s' "${told[$part]}" ;;
    esac
    separator=${way[separator]}
  done >"$room/text"
}

# encoded FILE ENCODING
encoded() {
  case $2 in
    base64) base64 -w0 "$1" ;;
    base64url) base64 -w0 "$1" | tr '+/' '-_' | tr -d = ;;
    hex) xxd -p -c0 "$1" ;;
  esac
}

# set_header KEY VALUE: unless this sender leaves it out or has none.
set_header() {
  [[ ${sent[without]} == "$1" || -z $2 ]] && return
  header_names+=("${sent[name_$1]}")
  header_values+=("$2")
}

write_headers() {
  local at_ns=$((agreed[at_ns] + sent[skew_s] * 1000000000)) key
  header_names=(Host Content-Type Content-Length)
  header_values=("${sent[host]}" application/json "$(stat -c %s "$room/body")")
  set_header timestamp "$(stamp "$at_ns" "${sent[precision]}")"
  for key in client_id nonce identity merchant_id; do set_header "$key" "${sent[$key]}"; done
  set_header signature "${way[around]%%|*}$(encoded "$room/signature" "${way[encoding]}")${way[around]#*|}"
}

# The whole request of this sender. A signing step that fails ends the run: what an earlier one left must not pass for its result.
send() {
  write_body
  write_text
  rm -f "$room/signature"
  sign
  [[ -s $room/signature ]] || exit 1
  write_headers
}
