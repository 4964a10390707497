#!/usr/bin/env bash
# Makes corpus.jsonl, a corpus of requests with broken signatures, and keys.json, the keys that it names, with nothing but a shell and
# the OpenSSL command line (3.x; awk, sed, xxd and GNU coreutils beside it). It shares no code with the service: what it knows is the
# contract. Run it as tests/corpus/make-corpus.sh [FOLDER]; it takes some minutes and writes into its own folder unless told otherwise.
#
# Each line is one request that a receiver refuses:
#   name                algorithm/cause/variant; two causes are joined by a plus; strangers are unknown.kind
#   algorithm           HMAC, RSA2 or ECDSA
#   expected            the causes, one or two, or ["unknown"]
#   settings            the app's signature settings as the manage API has them, without members at their default
#   hmac_secret or partner_public_key, previous
#                       names in keys.json; previous is one that is no longer accepted
#   other_apps          [{id, hmac_secret or partner_public_key (a name), api_client_id}]
#   merchant_id         the integration's, where the template asks for it
#   public_base_url     what the url is built from
#   received_at         the receiver's clock, in milliseconds
#   request             {method, target, headers [[name, value]], body_base64}: as received
#
# No request is written before the receiver of receiver.sh has accepted it without its mistakes, refused it with them, and, where there
# are two, refused it with each alone. Keys and signatures are new on each run; all else is the same.

set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
steps=$here/steps
target=${1:-$here}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir "$room/keys"

for step in keys bodies agreement sender sign receiver mistakes-of-url mistakes-of-body mistakes-of-time mistakes-of-signing \
  mistakes-of-template strangers line plan; do
  # shellcheck source=/dev/null
  source "$steps/$step.sh"
done

count=0

# apply need|break CAUSE VARIANT
apply() {
  local name=${2//-/_}
  "$1_$name" "$3"
}

# refused MISTAKE…: sends the request with these mistakes (cause:variant); is it refused?
refused() {
  local mistake
  compose
  for mistake in "$@"; do apply break "${mistake%%:*}" "${mistake#*:}"; done
  send
  ! accepted
}

# settle ALGORITHM MISTAKE…: an agreement of this case's own, under which those mistakes can happen.
settle() {
  local mistake
  agree "$1" "$count"
  shift
  agreed[received_at]=$((agreed[received_at] + attempt * 1009))
  for mistake in "$@"; do apply need "${mistake%%:*}" "${mistake#*:}"; done
  agree_on_values
}

# Does each of these mistakes alone, and do all together, lead to a refusal? Leaves the request with all of them.
each_refused() {
  local mistake
  if [[ $# -gt 1 ]]; then
    for mistake in "$@"; do refused "$mistake" || return 1; done
  fi
  refused "$@"
}

# make_case NAME EXPECTED ALGORITHM MISTAKE…: one line. An agreement is drawn anew where chance hides the mistake (a signature in
# base64 without any character that the other alphabet lacks).
make_case() {
  local name=$1 expected=$2 algorithm=$3 attempt
  [[ " $accepted_forms " != *" ${name#*/} "* ]] || expected=fits
  shift 3
  for attempt in {0..40}; do
    settle "$algorithm" "$@"
    if refused; then
      echo "$name: refused without any mistake" >&2
      exit 1
    fi
    if each_refused "$@"; then
      # shellcheck disable=SC2086 # one word a cause
      write_line "$name" $expected
      count=$((count + 1))
      return
    fi
  done
  echo "$name: accepted in spite of its mistake" >&2
  exit 1
}

# What the receiver of this corpus refuses and the service accepts: the body printed compactly or with blanks, with escapes or
# without (decisions 5.3).
accepted_forms='body-reserialised/1 body-reserialised/3 body-escaped-unicode/1 body-escaped-unicode/2'
accepted_forms+=' body-reserialised+body-escaped-unicode/1'

# make_single ALGORITHM CAUSE VARIANTS
make_single() {
  local variant
  for ((variant = 0; variant < $3; variant++)); do
    make_case "${1,,}/$2/$((variant + 1))" "$2" "$1" "$2:$variant"
  done
}

# make_pair_of_mistakes ALGORITHM CAUSE CAUSE
make_pair_of_mistakes() {
  make_case "${1,,}/$2+$3/1" "$2 $3" "$1" "$2:$count" "$3:$((count / 2 + ${#1}))"
}

make_strangers() {
  local kind turn=0
  for kind in ${strangers[$1]}; do
    turn=$((turn + 1))
    make_case "${1,,}/unknown.$kind/$turn" unknown "$1" "stranger:$kind"
  done
}

make_secrets
make_pairs
for algorithm in HMAC RSA2 ECDSA; do
  each "$common_causes, ${own_causes[$algorithm]}" make_single "$algorithm"
  each "$common_pairs, ${own_pairs[$algorithm]}" make_pair_of_mistakes "$algorithm"
  make_strangers "$algorithm"
  echo "$algorithm: $count requests so far" >&2
done >"$room/corpus.jsonl"
keys_json >"$target/keys.json"
mv "$room/corpus.jsonl" "$target/corpus.jsonl"
