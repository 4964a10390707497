# shellcheck shell=bash
# Mistakes in headers, in the order and number of the template's parts, and in the text around the signature.

need_header_name() {
  with_part client_id
  agree_on_names "$(cycle "$1" custom default default default authorization)"
}
# In turn: the default names where own ones were agreed, then other common spellings of each of the three.
break_header_name() {
  case $(($1 % 5)) in
    0)
      sent[name_signature]=X-Signature
      sent[name_timestamp]=X-Timestamp
      sent[name_client_id]=X-Client-Id
      ;;
    1) sent[name_signature]=$(cycle "$((agreed[n]))" Signature X-Hub-Signature X-Sign) ;;
    2) sent[name_timestamp]=$(cycle "$((agreed[n]))" Timestamp X-Request-Timestamp X-Time) ;;
    3) sent[name_client_id]=$(cycle "$((agreed[n]))" Client-Id X-ClientId X-Api-Client-Id) ;;
    4) sent[name_signature]=X-Signature ;;
  esac
}

need_missing_header() {
  local part
  part=$(left_out_header "$1")
  [[ $part == signature ]] || with_part "$part"
}
break_missing_header() { sent[without]=$(left_out_header "$1"); }
left_out_header() { cycle "$1" signature timestamp client_id nonce identity; }

need_missing_placeholder() { with_part "$(left_out_part "$1")"; }
break_missing_placeholder() {
  local part left_out rest=()
  left_out=$(left_out_part "$1")
  for part in ${agreed[parts]}; do [[ $part == "$left_out" ]] || rest+=("$part"); done
  way[parts]=${rest[*]}
}
left_out_part() { cycle "$1" client_id nonce timestamp request_method payload url; }

need_template_order() { :; }
# In turn: the first two swapped; the last two swapped; the last part first.
break_template_order() {
  local parts last
  read -ra parts <<<"${agreed[parts]}"
  last=$((${#parts[@]} - 1))
  case $(($1 % 3)) in
    0) way[parts]="${parts[1]} ${parts[0]} ${parts[*]:2}" ;;
    1) way[parts]="${parts[*]:0:last-1} ${parts[last]} ${parts[last-1]}" ;;
    2) way[parts]="${parts[last]} ${parts[*]:0:last}" ;;
  esac
}

need_template_separator() {
  [[ $(($1 % 4)) -eq 2 ]] && agreed[separator]=$'\n'
  return 0
}
# In turn: none, a bar (or a point), the two characters \n for a newline, a newline (or its Windows kind).
break_template_separator() {
  case $(($1 % 4)) in
    0) way[separator]='' ;;
    1) if [[ ${agreed[separator]} == '|' ]]; then way[separator]=.; else way[separator]='|'; fi ;;
    2) way[separator]='\n' ;;
    3) if [[ ${agreed[separator]} == $'\n' ]]; then way[separator]=$'\r\n'; else way[separator]=$'\n'; fi ;;
  esac
}

need_signature_template() {
  agreed[around]=$(cycle "$1" '|' 'sha256=|' '|' 'v1,|')
}
break_signature_template() {
  way[around]=$(cycle "$1" 'sha256=|' '|' '"|"' '|')
}
