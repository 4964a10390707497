import type { SignatureHash, TimestampPrecision } from '../../signing/signature-settings';
import { keyHint, keyVariable, pieces, program, usesFixed, type SamplePlan } from './sample-plan';

export const hashes: Readonly<Record<SignatureHash, string>> = {
  ...{ 'SHA-224': 'sha224', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512', 'SHA-1': 'sha1', MD5: 'md5' },
};
const times: Readonly<Record<TimestampPrecision, string>> = {
  seconds: '(string) time()',
  milliseconds: "sprintf('%d', microtime(true) * 1000)",
  microseconds: "sprintf('%d', microtime(true) * 1000000)",
  nanoseconds: "sprintf('%d000', microtime(true) * 1000000)",
};
export const names = {
  ...{ request_method: '$method', url: '$url', client_id: '$clientId', timestamp: '$timestamp', nonce: '$nonce' },
  ...{ identity: '$identity', merchant_id: '$merchantId', payload: '$body' },
};

/** A literal in double quotes; `$` is escaped, because it would begin a variable. */
export const quoted = (text: string): string => JSON.stringify(text).replaceAll('$', '\\$');

/** Signing code for PHP 8. */
export function phpSample(plan: SamplePlan): string {
  const { headers, nonceLength, fixed } = plan;
  const set = (name: keyof typeof fixed): string | false => usesFixed(plan, name) && `    ${names[name]} = ${quoted(fixed[name])};`;
  return program(
    '<?php',
    '// Prints the headers that sign a request: php sign.php POST https://… < body.json',
    `// ${keyHint(plan)} Send the very bytes that were signed.`,
    'function signatureHeaders(string $method, string $address, string $body): array',
    '{',
    set('client_id'),
    set('identity'),
    set('merchant_id'),
    plan.urlForm === 'full' ? '    $url = $address;' : "    $url = preg_replace('#^[a-z]+://[^/]*#i', '', $address);",
    `    $timestamp = ${times[plan.precision]};`,
    nonceLength > 0 && `    $nonce = substr(bin2hex(random_bytes(${nonceLength})), 0, ${nonceLength});`,
    `    $text = ${pieces(plan, names, quoted).join(' . ')};`,
    ...signing(plan),
    '    return [',
    ...headers.map(({ name, value }) => `        ${quoted(name)} => ${value === 'signature' ? wrapped(plan) : names[value]},`),
    '    ];',
    '}',
    '',
    "if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {",
    "    foreach (signatureHeaders($argv[1], $argv[2], file_get_contents('php://stdin')) as $name => $value) {",
    '        echo "$name: $value\\n";',
    '    }',
    '}',
  );
}

export const wrapped = ({ before, after }: SamplePlan): string =>
  [before && `${quoted(before)} . `, '$signature', after && ` . ${quoted(after)}`].join('');

export const encodings = {
  base64: 'base64_encode($made)',
  base64url: "rtrim(strtr(base64_encode($made), '+/', '-_'), '=')",
  hex: 'bin2hex($made)',
} as const;

function signing(plan: SamplePlan): (string | false)[] {
  const { algorithm, hash, encoding, keyFormat } = plan;
  const encode = `    $signature = ${encodings[encoding]};`;
  const variable = `getenv('${keyVariable(plan)}')`;
  if (algorithm === 'HMAC') {
    return [
      `    $secret = ${variable};`,
      "    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : $secret;",
      `    $made = hash_hmac('${hashes[hash]}', $text, $key, true);`,
      encode,
    ];
  }
  return [
    `    $key = file_get_contents(${variable});`,
    keyFormat === 'DER' &&
      '    $key = "-----BEGIN PRIVATE KEY-----\\n" . chunk_split(base64_encode($key), 64, "\\n") . "-----END PRIVATE KEY-----\\n";',
    `    openssl_sign($text, $made, openssl_pkey_get_private($key), '${hashes[hash]}');`,
    encode,
  ];
}
