#!/usr/bin/env bash
# Prints signature vectors as JSON lines: made by the OpenSSL command line and a shell, by nothing of this project.
# bash, openssl 3, xxd, bc. Keys are new on each run: the committed file is one run's output (openssl-vectors.jsonl).
#
#   {"text":NAME,"base64":…}                     the signed text
#   {"key":NAME,"form":…,"value":…}              a public key or an HMAC secret, as a partner hands it over
#   {"case":…,"algorithm":…,"hash":…,"key":…,"form":…,"text":…,"encoding":…,"signature":…,"verdict":…}
#
# The verdict is the specification's and OpenSSL's: `accepted`, `refused`, or `unreadable`, where the text is not in its encoding.
set -euo pipefail
export LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

hashes=(SHA-224 SHA-256 SHA-384 SHA-512 SHA-1 MD5)
curves=(P-256 P-384 P-521 secp256k1)
encodings=(base64 base64url hex)
named() { echo "${1//-/}" | tr A-Z a-z; }
hex_of() { xxd -p "$1" | tr -d '\n'; }
from_hex() { printf '%s' "$1" | xxd -r -p > "$2"; }

encoded() { # file, encoding
  case $2 in
    base64) openssl base64 -A -in "$1" ;;
    base64url) openssl base64 -A -in "$1" | tr '+/' '-_' | tr -d '=' ;;
    hex) hex_of "$1" ;;
  esac
}

text_line() { printf '{"text":"%s","base64":"%s"}\n' "$1" "$(openssl base64 -A -in "text-$1")"; }
key_line() { printf '{"key":"%s","form":"%s","value":"%s"}\n' "$1" "$2" "$3"; }
# Of the variables that a loop has set: algorithm, hash, key, form, text.
line() { # case, encoding, signature text, verdict
  printf '{"case":"%s","algorithm":"%s","hash":"%s","key":"%s","form":"%s","text":"%s","encoding":"%s","signature":"%s","verdict":"%s"}\n' \
    "$1" "$algorithm" "$hash" "$key" "$form" "$text" "$2" "$3" "$4"
}
of_file() { line "$1" base64 "$(encoded "$2" base64)" "$3"; }
of_hex() { from_hex "$2" changed; of_file "$1" changed "$3"; }
flipped() { # hex: its last bit but eight turned over
  local at=$((${#1} - 3)) digit
  digit=$(printf '%x' $((0x${1:at:1} ^ 1)))
  printf '%s%s%s' "${1:0:at}" "$digit" "${1:at+1}"
}

# The text of the contract's own vector: a signature over it can be sent to the service.
body='{"app_id":"app_abc123","client_id":"host_abc123def456","order":{"currency":"USD","amount":"1.10"}}'
printf '%s' "POST.https://platform.example/api/v1/orders/create-order-payment/.cid_1.1700000000.$body" > text-order
printf 'DELETE\n/api/v1/accounts/consent/revoke/?client_id=h&app_id=a\n1700000000000\n\n' > text-lines
printf '{"name":"Bj\xc3\xb8rn \xf0\x9f\x98\x80 \xe2\x80\xa8"}' > text-utf8
: > text-empty
for text in order lines utf8 empty; do text_line $text; done

pem_lines() { awk '{printf "%s\\n", $0}' "$1"; }
rsa_key() { # name, bits
  openssl genpkey -quiet -algorithm RSA -pkeyopt "rsa_keygen_bits:$2" -out "$1.private" 2>/dev/null
  openssl pkey -in "$1.private" -pubout -out "$1.pem"
  key_line "$1" pem "$(pem_lines "$1.pem")"
  key_line "$1" der "$(openssl pkey -pubin -in "$1.pem" -outform DER | openssl base64 -A)"
  openssl rsa -pubin -in "$1.pem" -RSAPublicKey_out -out "$1.pkcs1" 2>/dev/null
  key_line "$1" pem-pkcs1 "$(pem_lines "$1.pkcs1")"
  key_line "$1" der-pkcs1 "$(openssl rsa -pubin -in "$1.pem" -RSAPublicKey_out -outform DER 2>/dev/null | openssl base64 -A)"
}
ec_key() { # name, curve
  openssl genpkey -algorithm EC -pkeyopt "ec_paramgen_curve:$2" -out "$1.private"
  openssl pkey -in "$1.private" -pubout -out "$1.pem"
  key_line "$1" pem "$(pem_lines "$1.pem")"
  key_line "$1" der "$(openssl pkey -pubin -in "$1.pem" -outform DER | openssl base64 -A)"
}

rsa_key rsa-2048 2048
rsa_key rsa-other 2048
rsa_key rsa-4096 4096
for curve in "${curves[@]}"; do
  ec_key "ec-$curve" "$curve"
  ec_key "ec-$curve-other" "$curve"
done
printf 'a-shared-secret-of-more-than-32-bytes' > secret-plain
printf 'gemeinsames Gehei\xc3\x9fnis \xe2\x82\xac mit 32 Bytes' > secret-utf8
printf '%s' 'the-other-shared-secret-of-32-bytes!' > secret-other
printf 'longer-than-any-block-%.0s' {1..12} > secret-long
openssl rand 32 > secret-whsec
for name in plain utf8 other long; do key_line "$name" secret "$(cat "secret-$name")"; done
key_line whsec secret "whsec_$(openssl base64 -A -in secret-whsec)"

mac() { openssl dgst "-$(named "$hash")" -mac HMAC -macopt "hexkey:$(hex_of "secret-$1")" -binary < "text-$text"; }
sign() { openssl dgst "-$(named "$hash")" -sign "$1.private" "text-$text" > signature; }

# What DER holds: r and s in hex, without their sign octets, as long as the curve's order.
scalars() { # DER file, bytes of the order
  local width=$((2 * $2)) value
  openssl asn1parse -inform DER -in "$1" | sed -n 's/.*INTEGER *:\(.*\)/\1/p' | while read -r value; do
    printf "%${width}s\n" "$value" | tr ' A-F' '0a-f'
  done
}
length_of() { # bytes, as DER tells them
  if (($1 < 128)); then printf '%02x' "$1"; else printf '81%02x' "$1"; fi
}
integer() { # hex, without a rule: as it stands
  printf '02%s%s' "$(length_of $((${#1} / 2)))" "$1"
}
positive() { # hex: the shortest DER of the number
  local value
  value=$(sed 's/^\(00\)*//' <<< "$1")
  [[ -n $value ]] || value=00
  if [[ $value =~ ^[89a-f] ]]; then value=00$value; fi
  integer "$value"
}
sequence() { printf '30%s%s' "$(length_of $((${#1} / 2)))" "$1"; }
minus() { # hex, hex, bytes
  local value
  value=$(BC_LINE_LENGTH=0 bc <<< "obase=16; ibase=16; $(tr a-f A-F <<< "$1") - $(tr a-f A-F <<< "$2")" | tr A-F a-f)
  printf "%$((2 * $3))s" "$value" | tr ' ' 0
}

algorithm=HMAC
form=secret
for hash in "${hashes[@]}"; do
  for key in plain utf8 long whsec; do
    for text in order lines utf8 empty; do
      mac $key > signature
      for encoding in "${encodings[@]}"; do line right $encoding "$(encoded signature $encoding)" accepted; done
    done
  done
  key=plain text=order
  mac other > signature; of_file 'another secret' signature refused
  mac plain > signature
  whole=$(hex_of signature)
  of_hex truncated "${whole:0:-2}" refused
  of_hex 'half of it' "${whole:0:$((${#whole} / 2))}" refused
  of_hex extended "${whole}00" refused
  of_hex 'a bit flipped' "$(flipped "$whole")" refused
  of_hex zeros "${whole//[0-9a-f]/0}" refused
  of_hex 'its hex digits as bytes' "$(printf '%s' "$whole" | xxd -p | tr -d '\n')" refused
  text=lines; mac plain > signature; text=order; of_file 'another text' signature refused
done
key=plain text=order hash=SHA-256
for other in SHA-512 SHA-1 MD5 SHA-224; do
  hash=$other; mac plain > signature; hash=SHA-256; of_file "hash $other" signature refused
done
openssl dgst -sha256 -binary text-order > signature; of_file 'a digest without a key' signature refused
{ cat secret-plain text-order; } | openssl dgst -sha256 -binary > signature; of_file 'a digest of secret and text' signature refused
printf '%s\n' "$(cat secret-plain)" > secret-newline; mac newline > signature; of_file 'a line break behind the secret' signature refused

algorithm=RSA2
for key in rsa-2048 rsa-4096; do
  for hash in "${hashes[@]}"; do
    text=order
    [[ $hash == SHA-256 ]] && texts='order lines utf8 empty' || texts=order
    [[ $key == rsa-2048 ]] && forms='pem der pem-pkcs1 der-pkcs1' || forms='pem der-pkcs1'
    for text in $texts; do
      sign $key
      for form in $forms; do
        for encoding in "${encodings[@]}"; do line right $encoding "$(encoded signature $encoding)" accepted; done
      done
    done
  done
done
key=rsa-2048 form=pem text=order
for hash in "${hashes[@]}"; do
  sign rsa-other; of_file 'another key' signature refused
  sign rsa-4096; of_file 'a longer key' signature refused
  openssl dgst "-$(named $hash)" -sign rsa-2048.private -sigopt rsa_padding_mode:pss text-order > signature; of_file 'PSS' signature refused
  sign rsa-2048
  whole=$(hex_of signature)
  of_hex truncated "${whole:0:-2}" refused
  of_hex 'truncated in front' "${whole:2}" refused
  of_hex extended "${whole}00" refused
  of_hex 'zero in front' "00$whole" refused
  of_hex 'a bit flipped' "$(flipped "$whole")" refused
  of_hex zeros "${whole//[0-9a-f]/0}" refused
  of_hex one "$(printf '%0512d' 1)" refused
done
hash=SHA-256
for other in SHA-512 SHA-384 SHA-1 MD5; do
  hash=$other; sign rsa-2048; hash=SHA-256; of_file "hash $other" signature refused
done
modulus=$(openssl rsa -pubin -in rsa-2048.pem -noout -modulus | cut -d= -f2 | tr A-F a-f)
of_hex 'the modulus' "$modulus" refused
sign rsa-2048
sum=$(BC_LINE_LENGTH=0 bc <<< "obase=16; ibase=16; $(hex_of signature | tr a-f A-F) + $(tr a-f A-F <<< "$modulus")" | tr A-F a-f)
((${#sum} % 2)) && sum=0$sum
of_hex 'the signature and the modulus' "$sum" refused
openssl dgst -sha256 -binary text-order > digest
openssl pkeyutl -sign -inkey rsa-2048.private -in digest -pkeyopt rsa_padding_mode:pkcs1 > signature
of_file 'no name of the hash inside' signature refused
openssl pkeyutl -sign -inkey rsa-2048.private -in digest -pkeyopt rsa_padding_mode:pkcs1 -pkeyopt digest:sha256 > signature
of_file 'the digest signed alone' signature accepted
openssl dgst -sha256 -binary digest > twice
openssl pkeyutl -sign -inkey rsa-2048.private -in twice -pkeyopt rsa_padding_mode:pkcs1 -pkeyopt digest:sha256 > signature
of_file 'hashed twice' signature refused
# RFC 8017 §9.2 with one thing wrong each: a lenient reader of the padding takes them (Bleichenbacher, 2006).
named_digest=3031300d060960864801650304020105000420$(hex_of digest)
without_null=302f300b0609608648016503040201 without_null+=0420$(hex_of digest)
padded() { # case, start, digest info, behind it, verdict
  local fill=$((512 - ${#2} - 2 - ${#3} - ${#4}))
  from_hex "$2$(printf "%${fill}s" '' | tr ' ' f)00$3$4" message
  openssl rsautl -sign -raw -inkey rsa-2048.private -in message -out signature 2> /dev/null
  of_file "$1" signature "$5"
}
padded 'padding as it must be' 0001 "$named_digest" '' accepted
padded 'no NULL in the name of the hash' 0001 "$without_null" '' refused
padded 'block type 2' 0002 "$named_digest" '' refused
padded 'block type 0' 0000 "$named_digest" '' refused
garbage=$(printf '%0380d' 0)
padded 'short padding and garbage behind the digest' 0001 "$named_digest" "$garbage" refused
padded 'one byte behind the digest' 0001 "$named_digest" 00 refused
padded 'BER length in the name of the hash' 0001 "308131${named_digest:4}" '' refused
padded 'another hash named' 0001 "${named_digest/0304020105/0304020305}" '' refused
from_hex "0001$(printf '%404s' '' | tr ' ' f)ff$named_digest" message
openssl rsautl -sign -raw -inkey rsa-2048.private -in message -out signature 2> /dev/null
of_file 'no zero behind the padding' signature refused
from_hex "0001$(printf '%402s' '' | tr ' ' f)fe00$named_digest" message
openssl rsautl -sign -raw -inkey rsa-2048.private -in message -out signature 2> /dev/null
of_file 'padding that is not all ones' signature refused

declare -A order bytes=([P-256]=32 [P-384]=48 [P-521]=66 [secp256k1]=32)
for curve in "${curves[@]}"; do # as OpenSSL itself has them
  named=${curve/P-256/prime256v1} named=${named/P-384/secp384r1} named=${named/P-521/secp521r1}
  digits=$(openssl ecparam -name "$named" -param_enc explicit -text -noout | sed -n '/^Order/,/^Cofactor/p' | grep '^ ' | tr -d ' :\n')
  order[$curve]=$(printf "%$((2 * bytes[$curve]))s" "$(sed 's/^\(00\)*//' <<< "$digits")" | tr ' ' 0)
done

algorithm=ECDSA
for curve in "${curves[@]}"; do
  key=ec-$curve
  n=${order[$curve]} size=${bytes[$curve]}
  for hash in SHA-224 SHA-256 SHA-384 SHA-512 SHA-1; do
    [[ $hash == SHA-256 ]] && texts='order lines utf8 empty' || texts=order
    for text in $texts; do
      sign "$key"
      { read -r r; read -r s; } < <(scalars signature "$size")
      from_hex "$r$s" raw
      for form in pem der; do
        for encoding in "${encodings[@]}"; do
          line 'right, DER' $encoding "$(encoded signature $encoding)" accepted
          line 'right, r and s' $encoding "$(encoded raw $encoding)" accepted
        done
      done
    done
  done
  hash=SHA-256 text=order form=pem
  sign "$key-other"; of_file 'another key' signature refused
  for other in "${curves[@]}"; do
    [[ $other == "$curve" ]] && continue
    sign "ec-$other"; of_file "curve $other" signature refused
    { read -r r; read -r s; } < <(scalars signature "${bytes[$other]}")
    of_hex "curve $other, r and s" "$r$s" refused
  done
  for other in SHA-224 SHA-512 SHA-1; do
    hash=$other; sign "$key"; hash=SHA-256; of_file "hash $other" signature refused
  done
  sign "$key"
  whole=$(hex_of signature)
  { read -r r; read -r s; } < <(scalars signature "$size")
  zero=${r//[0-9a-f]/0}
  one=${zero:0:-1}1
  opposite=$(minus "$n" "$s" "$size")
  der() { sequence "$(positive "$1")$(positive "$2")"; }
  of_hex 'its DER made again' "$(der "$r" "$s")" accepted
  # The other form of the same signature (contract/signatures#verification): it holds, so that a replay is known by its nonce alone.
  of_hex 'n - s' "$(der "$r" "$opposite")" accepted
  of_hex 'n - s, r and s' "$r$opposite" accepted
  of_hex 'r zero' "$(der "$zero" "$s")" refused
  of_hex 's zero' "$(der "$r" "$zero")" refused
  of_hex 'both zero' "$(der "$zero" "$zero")" refused
  of_hex 'both one' "$(der "$one" "$one")" refused
  of_hex 'r is n' "$(der "$n" "$s")" refused
  of_hex 's is n' "$(der "$r" "$n")" refused
  of_hex 's and r changed over' "$(der "$s" "$r")" refused
  of_hex 'r and s: both zero' "$zero$zero" refused
  of_hex 'r and s: r zero' "$zero$s" refused
  of_hex 'r and s: s zero' "$r$zero" refused
  of_hex 'r and s: r is n' "$n$s" refused
  of_hex 'r and s: s is n' "$r$n" refused
  of_hex 'r and s: changed over' "$s$r" refused
  of_hex 'r and s: truncated' "$r${s:0:-2}" refused
  of_hex 'r and s: extended' "$r${s}00" refused
  of_hex 'r and s: a zero before each' "00${r}00$s" refused
  of_hex 'r and s: a bit flipped' "$(flipped "$r$s")" refused
  of_hex 'r alone' "$r" refused
  of_hex 'a bit flipped' "$(flipped "$whole")" refused
  of_hex truncated "${whole:0:-2}" refused
  of_hex 'garbage behind it' "${whole}00" refused
  of_hex 'garbage inside' "$(sequence "$(positive "$r")$(positive "$s")0500")" refused
  of_hex 'a third number' "$(sequence "$(positive "$r")$(positive "$s")020101")" refused
  of_hex 'one number' "$(sequence "$(positive "$r")")" refused
  of_hex 'an empty sequence' 3000 refused
  of_hex 'a negative r' "$(sequence "$(integer "ff$r")$(positive "$s")")" refused
  of_hex 'a negative s' "$(sequence "$(positive "$r")$(integer "ff$s")")" refused
  of_hex 'zeros before r' "$(sequence "$(integer "0000$r")$(positive "$s")")" refused
  of_hex 'zeros before s' "$(sequence "$(positive "$r")$(integer "0000$s")")" refused
  content=$(positive "$r")$(positive "$s")
  of_hex 'BER: a length in two bytes more' "3082$(printf '%04x' $((${#content} / 2)))$content" refused
  of_hex 'BER: no length' "3080${content}0000" refused
  of_hex 'a set instead of a sequence' "31${whole:2}" refused
  of_hex 'zeros' "${whole//[0-9a-f]/0}" refused
  if [[ $curve == P-256 ]]; then
    sign rsa-2048; of_file 'of an RSA key' signature refused
    mac plain > signature; of_file 'an HMAC' signature refused
    of_hex 'a length longer than all there is' "30ff${whole:4}" refused
  fi
done

# The texts of one good signature, each with one thing that its alphabet does not know (RFC 4648 §3).
algorithm=HMAC hash=SHA-256 key=plain form=secret text=order
mac plain > signature
good=$(encoded signature base64) url=$(encoded signature base64url) digits=$(encoded signature hex)
upper=$(tr a-f A-F <<< "$digits")
line 'upper case' hex "$upper" accepted
line 'base64url with padding' base64url "$url=" accepted
line 'no padding' base64 "${good%=}" unreadable
line 'too much padding' base64 "$good=" unreadable
line 'too much padding' base64url "$url==" unreadable
last=${good: -2:1} alphabet=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/
before=${alphabet%%"$last"*}
stray=${alphabet:${#before}+1:1}
line 'stray bits' base64 "${good:0:-2}$stray=" unreadable
line 'stray bits' base64url "$(tr '+/' '-_' <<< "${good:0:-2}$stray")" unreadable
line 'a line break' base64 "${good:0:20}\\n${good:20}" unreadable
line 'a line break behind it' base64 "$good\\n" unreadable
line 'a blank' base64 "${good:0:20} ${good:20}" unreadable
line 'a blank before it' base64 " $good" unreadable
line 'a character of no alphabet' base64 "${good:0:20}*${good:21}" unreadable
line 'padding in the middle' base64 "${good:0:20}=${good:20}" unreadable
line 'an odd count of digits' hex "${digits:0:-1}" unreadable
line 'both cases' hex "${upper:0:32}${digits:32}" unreadable
line '0x before it' hex "0x$digits" unreadable
line 'colons between bytes' hex "$(sed 's/../&:/g; s/:$//' <<< "$digits")" unreadable
line 'a blank behind it' hex "$digits " unreadable
line 'nothing' base64 '' unreadable
line 'nothing' hex '' unreadable
line 'padding alone' base64 '====' unreadable
line 'hex where base64 is agreed' base64 "$digits" refused
line 'base64 where hex is agreed' hex "$good" unreadable
algorithm=RSA2 key=rsa-2048 form=pem
while :; do # until its base64 has a character in which the alphabets differ
  printf 'text %s' "$RANDOM" > text-alphabets
  text=alphabets; sign rsa-2048
  good=$(encoded signature base64)
  [[ $good == *+* && $good == */* ]] && break
done
text_line alphabets
line right base64 "$good" accepted
line 'the other alphabet' base64 "$(tr '+/' '-_' <<< "$good")" unreadable
line 'the other alphabet' base64url "$good" unreadable
line 'one character of the other alphabet' base64 "${good/+/-}" unreadable
