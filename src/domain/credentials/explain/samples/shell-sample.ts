import type { SignatureHash, TimestampPrecision } from '../../signing/signature-settings';
import { keyHint, keyVariable, pieces, program, usesFixed, type SamplePlan } from './sample-plan';

export const hashes: Readonly<Record<SignatureHash, string>> = {
  ...{ 'SHA-224': 'sha224', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512', 'SHA-1': 'sha1', MD5: 'md5' },
};
/** Units finer than seconds need GNU `date`. */
const times: Readonly<Record<TimestampPrecision, string>> = {
  seconds: '+%s',
  milliseconds: '+%s%3N',
  microseconds: '+%s%6N',
  nanoseconds: '+%s%N',
};
export const names = {
  ...{ request_method: '"$method"', url: '"$url"', client_id: '"$client_id"', timestamp: '"$timestamp"', nonce: '"$nonce"' },
  ...{ identity: '"$identity"', merchant_id: '"$merchant_id"', payload: 'body' },
};

/** A bash literal with escaped line breaks and quotes. */
export const quoted = (text: string): string =>
  `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}'`;

/** Signing code for bash and the OpenSSL command line. */
export function shellSample(plan: SamplePlan): string {
  const { headers, nonceLength, fixed } = plan;
  const set = (name: keyof typeof fixed): string | false => usesFixed(plan, name) && `${name}=${quoted(fixed[name])}`;
  const text = pieces(plan, names, quoted).map((piece) => (piece === 'body' ? 'cat "$folder/body"' : `printf '%s' ${piece}`));
  return program(
    '#!/usr/bin/env bash',
    '# Prints the headers that sign a request: ./sign.sh POST https://… < body.json',
    `# ${keyHint(plan)} Send the very bytes that were signed.`,
    'set -euo pipefail',
    'method=$1',
    plan.urlForm === 'full' ? 'url=$2' : 'rest=${2#*://}; url=/${rest#*/}',
    set('client_id'),
    set('identity'),
    set('merchant_id'),
    `timestamp=$(date ${times[plan.precision]})`,
    nonceLength > 0 && `nonce=$(openssl rand -hex ${Math.ceil(nonceLength / 2)}); nonce=\${nonce:0:${nonceLength}}`,
    'folder=$(mktemp -d); trap \'rm -rf "$folder"\' EXIT',
    'cat > "$folder/body"',
    `{ ${text.join('; ')}; } > "$folder/text"`,
    ...signing(plan),
    ...headers.map(({ name, value }) => `printf '%s: %s\\n' ${quoted(name)} ${value === 'signature' ? wrapped(plan) : `"$${value}"`}`),
  );
}

export const wrapped = ({ before, after }: SamplePlan): string =>
  [before && quoted(before), '"$signature"', after && quoted(after)].join('');

export const encodings = {
  base64: 'openssl base64 -A',
  base64url: "openssl base64 -A | tr '+/' '-_' | tr -d '='",
  hex: "od -An -v -tx1 | tr -d ' \\n'",
} as const;

/** A command that prints the key bytes of the HMAC secret. */
export const keyFunction: readonly string[] = [
  `if [[ $HMAC_SECRET == whsec_* ]]; then key() { printf '%s' "\${HMAC_SECRET#whsec_}" | openssl base64 -d -A; }`,
  `else key() { printf '%s' "$HMAC_SECRET"; }; fi`,
];

function signing(plan: SamplePlan): string[] {
  const { algorithm, hash, encoding, keyFormat } = plan;
  const encode = `signature=$(cat "$folder/signature" | ${encodings[encoding]})`;
  const digest = `openssl dgst -${hashes[hash]}`;
  if (algorithm === 'HMAC') {
    return [
      ...keyFunction,
      `${digest} -mac HMAC -macopt "hexkey:$(key | od -An -v -tx1 | tr -d ' \\n')" -binary "$folder/text" > "$folder/signature"`,
      encode,
    ];
  }
  return [`${digest} -sign "$${keyVariable(plan)}" -keyform ${keyFormat} -out "$folder/signature" "$folder/text"`, encode];
}
