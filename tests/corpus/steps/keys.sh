# shellcheck shell=bash
# Keys and secrets, each under a name: the private half stays in "$room/keys", what a receiver stores goes to keys.json.

hmac_names=(hmac-base64 hmac-hex hmac-phrase hmac-base64url)
rsa_names=(rsa-2048 rsa-2048-b rsa-2048 rsa-3072 rsa-2048-b rsa-4096)
ec_names=(p256 p256-b p384 p256 p521 p256-b secp256k1)

# make_secret NAME COMMAND…: the command's output, without a newline, is the secret.
make_secret() {
  local name=$1
  shift
  "$@" | tr -d '\n' >"$room/keys/$name.secret"
}

url_safe_secret() { openssl rand -base64 33 | tr '+/' '-_'; }

make_secrets() {
  make_secret hmac-base64 openssl rand -base64 32
  make_secret hmac-hex openssl rand -hex 32
  make_secret hmac-phrase printf '%s' 'Nine mussels wait below the pier, and none of them can swim.'
  make_secret hmac-base64url url_safe_secret
  make_secret hmac-old openssl rand -base64 32
  make_secret hmac-other openssl rand -base64 32
  make_secret hmac-nobody openssl rand -base64 32
}

# make_pair NAME ALGORITHM OPTION: a private key and its public half, both PEM.
make_pair() {
  openssl genpkey -quiet -algorithm "$2" -pkeyopt "$3" -out "$room/keys/$1.pem"
  openssl pkey -in "$room/keys/$1.pem" -pubout -out "$room/keys/$1.pub"
}

make_pairs() {
  local name
  for name in rsa-2048 rsa-2048-b rsa-old rsa-other rsa-nobody; do make_pair "$name" RSA rsa_keygen_bits:2048; done
  make_pair rsa-3072 RSA rsa_keygen_bits:3072
  make_pair rsa-4096 RSA rsa_keygen_bits:4096
  for name in p256 p256-b ec-old ec-other ec-nobody; do make_pair "$name" EC ec_paramgen_curve:P-256; done
  make_pair p384 EC ec_paramgen_curve:P-384
  make_pair p521 EC ec_paramgen_curve:P-521
  make_pair secp256k1 EC ec_paramgen_curve:secp256k1
}

# keys_json: secrets and public keys by name, without those that nobody has stored.
keys_json() {
  local file name end comma=''
  printf '{'
  for file in "$room"/keys/*.secret "$room"/keys/*.pub; do
    name=$(basename "$file")
    end=''
    [[ $name == *.pub ]] && end=$'\n'
    name=${name%.*}
    [[ $name == *-nobody ]] && continue
    printf '%s\n  "%s": %s' "$comma" "$name" "$(json_string "$(cat "$file")$end")"
    comma=,
  done
  printf '\n}\n'
}

# family ALGORITHM: the first word of the names of its spare keys.
family() {
  case $1 in
    HMAC) printf hmac ;;
    RSA2) printf rsa ;;
    ECDSA) printf ec ;;
  esac
}

# coordinate_bytes NAME: the length of r and of s under that key.
coordinate_bytes() {
  case $1 in
    p384) printf 48 ;;
    p521) printf 66 ;;
    *) printf 32 ;;
  esac
}
