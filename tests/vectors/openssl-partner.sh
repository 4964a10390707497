#!/usr/bin/env bash
# A partner who has nothing but a shell, the OpenSSL command line and curl: signs requests to the service, and verifies those that
# the service has signed. It knows the contract and shares no code with the service.
#
#   openssl-partner.sh keys              makes $KEY (private) and $KEY.public, where $ALGORITHM has a key pair
#   openssl-partner.sh call METHOD PATH BODY-FILE
#                                        signs and sends; prints the answer's body and, on a line of its own, its status
#   openssl-partner.sh verify METHOD URL HEADERS-FILE BODY-FILE
#                                        exits 0 where the signature holds, 1 where it does not
#
# Set by the caller: ALGORITHM (HMAC, RSA2 or ECDSA), CURVE, HASH (sha256), ENCODING (base64, base64url or hex), PRECISION (seconds,
# milliseconds, microseconds or nanoseconds), FORM (dots: the default template; lines: method, url, time, nonce and body, each on a
# line), KEY (a file; for HMAC it holds the secret), API_CLIENT_ID, BASE (what the url is built from), ADDRESS (where it is sent to)
# and PLATFORM_KEY (the file with the service's public key).
set -euo pipefail
export LC_ALL=C
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT

keys() {
  case $ALGORITHM in
    HMAC) openssl rand -hex 32 | tr -d '\n' > "$KEY" ;;
    RSA2) openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$KEY" 2> /dev/null ;;
    ECDSA) openssl genpkey -algorithm EC -pkeyopt "ec_paramgen_curve:$CURVE" -out "$KEY" ;;
  esac
  [[ $ALGORITHM == HMAC ]] || openssl pkey -in "$KEY" -pubout -out "$KEY.public"
}

now() {
  case $PRECISION in
    seconds) date +%s ;;
    milliseconds) date +%s%3N ;;
    microseconds) date +%s%6N ;;
    nanoseconds) date +%s%N ;;
  esac
}

text() { # method, url, timestamp, nonce, body file
  case $FORM in
    dots) printf '%s.%s.%s.%s.' "$1" "$2" "$API_CLIENT_ID" "$3" ;;
    lines) printf '%s\n%s\n%s\n%s\n' "$1" "$2" "$3" "$4" ;;
  esac
  cat "$5"
}

mac() { openssl dgst "-$HASH" -mac HMAC -macopt "hexkey:$(od -An -v -tx1 "$KEY" | tr -d ' \n')" -binary; }

sign() { # text file
  if [[ $ALGORITHM == HMAC ]]; then mac < "$1"; else openssl dgst "-$HASH" -sign "$KEY" "$1"; fi
}

encode() {
  case $ENCODING in
    base64) openssl base64 -A ;;
    base64url) openssl base64 -A | tr '+/' '-_' | tr -d '=' ;;
    hex) od -An -v -tx1 | tr -d ' \n' ;;
  esac
}

decode() { # text
  case $ENCODING in
    base64) printf '%s' "$1" | openssl base64 -d -A ;;
    base64url) printf '%s%.*s' "$1" $((-${#1} & 3)) === | tr -- '-_' '+/' | openssl base64 -d -A ;;
    hex) printf "$(printf '%s' "$1" | sed 's/../\\x&/g')" ;;
  esac
}

call() { # method, path, body file
  local timestamp nonce
  timestamp=$(now)
  nonce=$(openssl rand -hex 16)
  text "$1" "$BASE$2" "$timestamp" "$nonce" "$3" > "$room/text"
  sign "$room/text" > "$room/signature"
  curl -s -X "$1" -H 'Content-Type: application/json' -H "X-Client-Id: $API_CLIENT_ID" -H "X-Timestamp: $timestamp" -H "X-Nonce: $nonce" \
    -H "X-Signature: $(encode < "$room/signature")" --data-binary "@$3" -w '\n%{http_code}\n' "$ADDRESS$2"
}

header() { awk -v name="$1" 'tolower(substr($0, 1, length(name) + 2)) == tolower(name ": ") { print substr($0, length(name) + 3) }' "$2"; }

verify() { # method, url, headers file, body file
  local signature
  signature=$(header X-Signature "$3")
  [[ $(header X-Client-Id "$3") == "$API_CLIENT_ID" ]]
  text "$1" "$2" "$(header X-Timestamp "$3")" "$(header X-Nonce "$3")" "$4" > "$room/text"
  if [[ $ALGORITHM == HMAC ]]; then
    [[ $(mac < "$room/text" | encode) == "$signature" ]]
  else
    decode "$signature" > "$room/signature"
    openssl dgst "-$HASH" -verify "$PLATFORM_KEY" -signature "$room/signature" "$room/text"
  fi
}

"$@"
