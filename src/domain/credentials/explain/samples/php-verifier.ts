import { wrapped, encodings, hashes, names, quoted } from './php-sample';
import { pieces, program, usesFixed, type SamplePlan } from './sample-plan';
import { checkHint, checkVariable, fixedHeaders, headerOf, inSeconds, nonceHint, windowS } from './verifier-plan';

/** Checking code for PHP 8. */
export function phpVerifier(plan: SamplePlan): string {
  const { fixed, nonceLength } = plan;
  const set = (name: keyof typeof fixed): string | false => usesFixed(plan, name) && `    ${names[name]} = ${quoted(fixed[name])};`;
  return program(
    '<?php',
    '// Checks a request that Pierhead signed: php verify.php POST https://… headers.txt < body.json',
    `// ${checkHint(plan)} ${windowS} seconds are allowed between its clock and yours.`,
    nonceHint(plan, '//'),
    '// The URL is the one that you registered, the body comes byte by byte as it was sent.',
    'function verify(string $method, string $address, array $headers, string $body, ?float $now = null): bool',
    '{',
    '    $sent = array_change_key_case($headers);',
    set('client_id'),
    set('identity'),
    set('merchant_id'),
    ...fixedHeaders(plan).map(
      ({ name, value }) => `    if (($sent[${quoted(name.toLowerCase())}] ?? '') !== ${names[value as 'client_id']}) return false;`,
    ),
    plan.urlForm === 'full' ? '    $url = $address;' : "    $url = preg_replace('#^[a-z]+://[^/]*#i', '', $address);",
    `    $timestamp = $sent[${quoted(headerOf(plan, 'timestamp'))}] ?? '';`,
    "    if (!preg_match('/^[1-9][0-9]{0,18}$/D', $timestamp)) return false;",
    `    if (abs((float) $timestamp${inSeconds(plan)} - ($now ?? microtime(true))) > ${windowS}) return false;`,
    nonceLength > 0 && `    $nonce = $sent[${quoted(headerOf(plan, 'nonce'))}] ?? '';`,
    nonceLength > 0 && "    if (!preg_match('#^[A-Za-z0-9+/=_~-]{16,64}$#D', $nonce)) return false;",
    `    $text = ${pieces(plan, names, quoted).join(' . ')};`,
    `    $given = $sent[${quoted(headerOf(plan, 'signature'))}] ?? '';`,
    ...check(plan),
    '}',
    '',
    "if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {",
    '    foreach (file($argv[3], FILE_IGNORE_NEW_LINES) as $line) {',
    "        [$name, $value] = explode(': ', $line, 2);",
    '        $headers[$name] = $value;',
    '    }',
    '    $now = isset($argv[4]) ? (float) $argv[4] : null;',
    "    exit(verify($argv[1], $argv[2], $headers, file_get_contents('php://stdin'), $now) ? 0 : 1);",
    '}',
  );
}

const decodings = {
  base64: 'base64_decode($encoded, true)',
  base64url: "base64_decode(strtr($encoded, '-_', '+/'), true)",
  hex: 'ctype_xdigit($encoded) && strlen($encoded) % 2 === 0 ? hex2bin($encoded) : false',
} as const;

function check(plan: SamplePlan): (string | false)[] {
  const { algorithm, hash, encoding, keyFormat, before, after } = plan;
  const variable = `getenv('${checkVariable(plan)}')`;
  if (algorithm === 'HMAC') {
    return [
      `    $secret = ${variable} ?: throw new RuntimeException('the secret is empty');`,
      "    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : $secret;",
      `    $made = hash_hmac('${hashes[hash]}', $text, $key, true);`,
      `    $signature = ${encodings[encoding]};`,
      `    return hash_equals(${wrapped(plan)}, $given);`,
    ];
  }
  const isBare = before + after === '';
  return [
    `    $key = file_get_contents(${variable});`,
    keyFormat === 'DER' &&
      '    $key = "-----BEGIN PUBLIC KEY-----\\n" . chunk_split(base64_encode($key), 64, "\\n") . "-----END PUBLIC KEY-----\\n";',
    !isBare && `    if (!str_starts_with($given, ${quoted(before)}) || !str_ends_with($given, ${quoted(after)})) return false;`,
    isBare
      ? '    $encoded = $given;'
      : `    $encoded = substr($given, ${before.length}, strlen($given) - ${before.length + after.length});`,
    `    $made = ${decodings[encoding]};`,
    `    return $made !== false && openssl_verify($text, $made, openssl_pkey_get_public($key), '${hashes[hash]}') === 1;`,
  ];
}
