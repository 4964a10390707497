# shellcheck shell=bash
# Mistakes in hash, key, encoding and the step of signing itself.

need_hash() {
  agreed[hash]=$(cycle "$1" SHA-256 SHA-512 SHA-256 SHA-384 SHA-1)
}
break_hash() {
  way[hash]=$(cycle "$1" SHA-1 SHA-256 SHA-512 SHA-256 SHA-256)
}

need_encoding() {
  agreed[encoding]=$(cycle "$1" base64 hex base64 base64url hex)
}
break_encoding() {
  way[encoding]=$(cycle "$1" hex base64 base64url base64 base64url)
}

need_previous_key() { agreed[previous]=$(family "${agreed[algorithm]}")-old; }
break_previous_key() { way[key]=${agreed[previous]}; }

need_other_app_key() { agreed[other]=$(family "${agreed[algorithm]}")-other; }
break_other_app_key() { way[key]=${agreed[other]}; }

need_double_hash() { :; }
break_double_hash() { way[digest_first]=$(cycle "$1" hex raw hex); }

need_secret_base64() { agreed[key]=$(cycle "$1" hmac-base64 hmac-base64url hmac-base64); }
break_secret_base64() { way[secret]=base64; }

need_secret_hex() { agreed[key]=hmac-hex; }
break_secret_hex() { way[secret]=hex; }

need_secret_newline() { agreed[key]=$(cycle "$1" hmac-phrase hmac-base64 hmac-hex); }
break_secret_newline() { way[secret]=newline; }

need_rsa_pss() { :; }
break_rsa_pss() { way[padding]=$(cycle "$1" pss-digest pss-max pss-20 pss-digest); }

need_ecdsa_raw_unpadded() { agreed[key]=$(cycle "$1" p256 p521 secp256k1 p384); }
break_ecdsa_raw_unpadded() { way[form]=unpadded; }
