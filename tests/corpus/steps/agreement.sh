# shellcheck shell=bash
# What the app and the platform agreed on, different from case to case; `agreed` is read by sender and receiver alike.

declare -A agreed

default_parts='request_method url client_id timestamp payload'

# cycle N WORD…: the word whose turn it is in case N.
cycle() {
  local n=$1
  shift
  local turn=$((n % $# + 1))
  printf '%s' "${!turn}"
}

# agree ALGORITHM N: the agreement of case N, before a mistake asks for something else.
agree() {
  local n=$2
  agreed=([algorithm]=$1 [n]="$n" [around]='|' [sort]=0 [spaces]=0 [weak]=0)
  agreed[hash]=$(cycle "$n" SHA-256 SHA-256 SHA-512 SHA-256 SHA-384 SHA-256 SHA-224)
  agreed[encoding]=$(cycle "$((n / 4))" base64 base64 hex base64 base64url)
  agreed[precision]=$(cycle "$((n / 2))" seconds milliseconds seconds microseconds seconds nanoseconds milliseconds)
  agreed[url_form]=$(cycle "$n" full full full path)
  agreed[base]=$(cycle "$((n / 3))" https://platform.example https://platform.example https://pay.harbour.example:8443 http://localhost:8080)
  agreed[api_client_id]=$(cycle "$n" cid_1 Acme-Prod-7 PARTNER_0042)
  agreed[received_at]=$((1767225600000 + n * 61013))
  [[ $((n % 11)) -eq 3 ]] && agreed[spaces]=1
  [[ $((n % 13)) -eq 5 ]] && agreed[sort]=1
  agree_on_keys "$n"
  agree_on_parts "$n"
  agree_on_names "$(cycle "$n" default default default custom lower)"
  [[ ${agreed[parts]} == nonce* ]] && agree_on_names webhook && agreed[around]='v1,|'
  agree_on_body "$(cycle "$n" "${all_bodies[@]}")"
  agree_on_manner "$n"
}

agree_on_keys() {
  local spare
  spare=$(family "${agreed[algorithm]}")
  case ${agreed[algorithm]} in
    HMAC) agreed[key]=$(cycle "$1" "${hmac_names[@]}") ;;
    RSA2) agreed[key]=$(cycle "$1" "${rsa_names[@]}") ;;
    ECDSA) agreed[key]=$(cycle "$1" "${ec_names[@]}") ;;
  esac
  [[ $(($1 % 3)) -eq 0 ]] && agreed[previous]=$spare-old
  [[ $(($1 % 4)) -eq 0 ]] && agreed[other]=$spare-other
  agreed[form]=$(cycle "$1" der der raw)
}

agree_on_parts() {
  agreed[separator]=.
  case $(cycle "$1" default default lines default nonce default full-lines default bars webhook) in
    default) agreed[parts]=$default_parts ;;
    nonce) agreed[parts]='request_method url client_id timestamp nonce payload' ;;
    lines)
      agreed[parts]='request_method url timestamp payload'
      agreed[separator]=$'\n'
      agreed[url_form]=path
      ;;
    full-lines)
      agreed[parts]='client_id timestamp nonce merchant_id request_method url payload'
      agreed[separator]=$'\n'
      ;;
    webhook) agreed[parts]='nonce timestamp payload' ;;
    bars)
      agreed[parts]='timestamp identity request_method url payload'
      agreed[separator]='|'
      ;;
  esac
}

# agree_on_names default|custom|lower|authorization|webhook: under which headers the values travel.
agree_on_names() {
  local key
  declare -A names=([signature]=X-Signature [timestamp]=X-Timestamp [client_id]=X-Client-Id [nonce]=X-Nonce [identity]=X-Identity [merchant_id]=X-Merchant-Id)
  [[ $1 == custom ]] && names+=([signature]=X-Harbour-Sign [timestamp]=X-Harbour-Time [client_id]=X-Harbour-Key)
  [[ $1 == webhook ]] && names+=([signature]=webhook-signature [timestamp]=webhook-timestamp [nonce]=webhook-id)
  [[ $1 == authorization ]] && names+=([signature]=Authorization)
  for key in "${!names[@]}"; do
    [[ $1 == lower ]] && names[$key]=${names[$key],,}
    agreed[name_$key]=${names[$key]}
  done
}

agree_on_body() {
  agreed[body]=$1
  agreed[path]=$(route_of "$1")
  agreed[own_id]=$(own_id "$1")
  [[ $((agreed[n] / 5 % 3)) -eq 2 ]] || agreed[path]+=/
  agreed[query]=$(cycle "$((agreed[n] / 2))" '' '' '' '?lang=en&ref=a%20b' '')
}

# How the body is laid out when it travels, and whether its raw bytes are signed or its agreed form.
agree_on_manner() {
  agreed[sent_gaps]=$(cycle "$1" compact compact spaced compact compact pretty compact)
  agreed[sent_unicode]=keep
  agreed[sent_tail]=''
  agreed[signs]=$(cycle "$((($1 + 2) / 2))" raw raw raw form)
}

# Values that a template asks for; called once the template is settled.
agree_on_values() {
  local microseconds=$((agreed[n] * 7919 % 1000))
  agreed[at_ns]=$((agreed[received_at] * 1000000 - (agreed[n] % 4) * 487000000 + microseconds * 1000 + 389))
  [[ " ${agreed[parts]} " == *' nonce '* ]] && agreed[nonce]=$(openssl rand -hex 16)
  [[ " ${agreed[parts]} " == *' identity '* ]] && agreed[identity]=acme-eu
  [[ " ${agreed[parts]} " == *' merchant_id '* ]] && agreed[merchant_id]=M-10293
  [[ ${agreed[hash]} == MD5 || ${agreed[hash]} == SHA-1 || ${agreed[parts]} != *url* ]] && agreed[weak]=1
  return 0
}

# with_part PLACEHOLDER: a template that has it, if the one at hand has not.
with_part() {
  [[ " ${agreed[parts]} " == *" $1 "* ]] && return
  agreed[separator]=.
  agreed[parts]="request_method url client_id timestamp $1 payload"
  [[ " $default_parts " == *" $1 "* ]] && agreed[parts]=$default_parts
  return 0
}

# The plainest manner of sending: raw bytes signed, no re-serialisation in play.
plain_manner() {
  agreed[signs]=raw
  agreed[sent_gaps]=compact
  agreed[sort]=0
  agreed[spaces]=0
}
