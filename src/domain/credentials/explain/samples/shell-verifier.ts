import { pieces, program, usesFixed, type SamplePlan } from './sample-plan';
import { wrapped, encodings, hashes, keyFunction, names, quoted } from './shell-sample';
import { checkHint, checkVariable, fixedHeaders, headerOf, nonceHint, unitsPerSecond, windowS } from './verifier-plan';

/** Checking code for bash and the OpenSSL command line. */
export function shellVerifier(plan: SamplePlan): string {
  const { fixed, nonceLength } = plan;
  const set = (name: keyof typeof fixed): string | false => usesFixed(plan, name) && `${name}=${quoted(fixed[name])}`;
  const text = pieces(plan, names, quoted).map((piece) => (piece === 'body' ? 'cat "$folder/body"' : `printf '%s' ${piece}`));
  const digits = unitsPerSecond[plan.precision].length - 1;
  return program(
    '#!/usr/bin/env bash',
    '# Checks a request that Pierhead signed: ./verify.sh POST https://… headers.txt < body.json',
    `# ${checkHint(plan)} ${windowS} seconds are allowed between its clock and yours.`,
    nonceHint(plan, '#'),
    'set -euo pipefail',
    'method=$1',
    plan.urlForm === 'full' ? 'url=$2' : 'rest=${2#*://}; url=/${rest#*/}',
    'headers=$3; now=${4:-$(date +%s)}',
    'sent() { awk -v name="$1" \'{ at = index($0, ": ") } tolower(substr($0, 1, at - 1)) == name { print substr($0, at + 2); exit }\' "$headers"; }',
    set('client_id'),
    set('identity'),
    set('merchant_id'),
    ...fixedHeaders(plan).map(({ name, value }) => `[[ $(sent ${quoted(name.toLowerCase())}) == "$${value}" ]] || exit 1`),
    `timestamp=$(sent ${quoted(headerOf(plan, 'timestamp'))})`,
    '[[ $timestamp =~ ^[1-9][0-9]{0,18}$ ]] || exit 1',
    digits === 0 ? 'age=$((now - timestamp))' : `age=$((now - \${timestamp:0:-${digits}}))`,
    `((age <= ${windowS} && age >= -${windowS})) || exit 1`,
    nonceLength > 0 && `nonce=$(sent ${quoted(headerOf(plan, 'nonce'))})`,
    nonceLength > 0 && '[[ $nonce =~ ^[A-Za-z0-9+/=_~-]{16,64}$ ]] || exit 1',
    'folder=$(mktemp -d); trap \'rm -rf "$folder"\' EXIT',
    'cat > "$folder/body"',
    `{ ${text.join('; ')}; } > "$folder/text"`,
    `given=$(sent ${quoted(headerOf(plan, 'signature'))})`,
    ...check(plan),
  );
}

const decodings = {
  base64: 'openssl base64 -d -A',
  base64url: "{ tr '_-' '/+'; case $((${#encoded} % 4)) in 2) printf '==' ;; 3) printf '=' ;; esac; } | openssl base64 -d -A",
  hex: "sed 's/../\\\\x&/g' | xargs -0 printf '%b'",
} as const;

function check(plan: SamplePlan): (string | false)[] {
  const { algorithm, hash, encoding, keyFormat, before, after } = plan;
  const digest = `openssl dgst -${hashes[hash]}`;
  if (algorithm === 'HMAC') {
    return [
      '[[ -n $HMAC_SECRET ]] || exit 1',
      ...keyFunction,
      `${digest} -mac HMAC -macopt "hexkey:$(key | od -An -v -tx1 | tr -d ' \\n')" -binary "$folder/text" > "$folder/signature"`,
      `signature=$(cat "$folder/signature" | ${encodings[encoding]})`,
      '# Digests are compared: their time tells nothing of where the signatures differ.',
      'digest() { printf \'%s\' "$1" | openssl dgst -sha256 -r; }',
      `[[ $(digest "$given") == "$(digest ${wrapped(plan)})" ]]`,
    ];
  }
  return [
    before + after === '' ? 'encoded=$given' : `encoded=\${given#${quoted(before)}}; encoded=\${encoded%${quoted(after)}}`,
    `[[ -n $encoded && $given == ${wrapped(plan).replace('"$signature"', '"$encoded"')} ]] || exit 1`,
    `printf '%s' "$encoded" | ${decodings[encoding]} > "$folder/signature"`,
    `[[ $(cat "$folder/signature" | ${encodings[encoding]}) == "$encoded" ]] || exit 1`,
    keyFormat === 'PEM' && `key=$${checkVariable(plan)}`,
    keyFormat === 'DER' && `openssl pkey -pubin -inform DER -in "$${checkVariable(plan)}" -out "$folder/key"; key=$folder/key`,
    `${digest} -verify "$key" -signature "$folder/signature" "$folder/text" > /dev/null 2>&1 || exit 1`,
  ];
}
