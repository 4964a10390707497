import { pieces, program, quoted, usesFixed, type SamplePlan } from './sample-plan';
import { wrapped, hashes, names } from './python-sample';
import { checkHint, checkVariable, fixedHeaders, headerOf, inSeconds, nonceHint, windowS } from './verifier-plan';

/** Checking code for Python 3; RSA2 and ECDSA need the package `cryptography`. */
export function pythonVerifier(plan: SamplePlan): string {
  const { fixed, algorithm } = plan;
  const set = (name: keyof typeof fixed): string | false => usesFixed(plan, name) && `${names[name]} = ${quoted(fixed[name])}`;
  const joined = pieces(plan, names, quoted).map((piece) => (piece === 'body' ? piece : `${piece}.encode()`));
  return program(
    '# Checks a request that Pierhead signed: python3 verify.py POST https://… headers.txt < body.json',
    `# ${checkHint(plan)} ${windowS} seconds are allowed between its clock and yours.`,
    nonceHint(plan, '#'),
    `import base64, ${algorithm === 'HMAC' ? 'hashlib, hmac, ' : ''}os, re, sys, time`,
    algorithm !== 'HMAC' && 'from cryptography.exceptions import InvalidSignature',
    algorithm !== 'HMAC' && 'from cryptography.hazmat.primitives import hashes, serialization',
    algorithm !== 'HMAC' && 'from cryptography.hazmat.primitives.asymmetric import ec, padding',
    '',
    set('client_id'),
    set('identity'),
    set('merchant_id'),
    '',
    'def verify(method, address, headers, body, now=None):',
    '    """Whether it fits: the URL as you registered it, the headers, and the body byte by byte as it came."""',
    '    sent = {name.lower(): value for name, value in headers.items()}',
    ...fixedHeaders(plan).map(
      ({ name, value }) => `    if sent.get(${quoted(name.toLowerCase())}) != ${names[value as 'client_id']}: return False`,
    ),
    plan.urlForm === 'full' ? '    url = address' : '    url = "/" + address.split("://", 1)[-1].partition("/")[2]',
    `    timestamp = sent.get(${quoted(headerOf(plan, 'timestamp'))}, "")`,
    '    if not re.fullmatch("[1-9][0-9]{0,18}", timestamp): return False',
    `    if abs(int(timestamp)${inSeconds(plan)} - (time.time() if now is None else now)) > ${windowS}: return False`,
    ...nonceLines(plan),
    `    text = ${joined.join(' + ')}`,
    `    given = sent.get(${quoted(headerOf(plan, 'signature'))}, "")`,
    ...check(plan),
    '',
    'if __name__ == "__main__":',
    '    with open(sys.argv[3]) as file:',
    '        headers = dict(line.rstrip("\\n").split(": ", 1) for line in file)',
    '    now = float(sys.argv[4]) if len(sys.argv) > 4 else None',
    '    sys.exit(0 if verify(sys.argv[1], sys.argv[2], headers, sys.stdin.buffer.read(), now) else 1)',
  );
}

const nonceLines = (plan: SamplePlan): string[] =>
  plan.nonceLength > 0
    ? [
        `    nonce = sent.get(${quoted(headerOf(plan, 'nonce'))}, "")`,
        '    if not re.fullmatch("[A-Za-z0-9+/=_~-]{16,64}", nonce): return False',
      ]
    : [];

const encodings = {
  base64: 'base64.b64encode(made).decode()',
  base64url: 'base64.urlsafe_b64encode(made).decode().rstrip("=")',
  hex: 'made.hex()',
} as const;
const decodings = {
  base64: 'base64.b64decode(encoded, validate=True)',
  base64url: 'base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))',
  hex: 'bytes.fromhex(encoded)',
} as const;

function check(plan: SamplePlan): string[] {
  const { algorithm, hash, encoding, keyFormat, before, after } = plan;
  if (algorithm === 'HMAC') {
    return [
      `    secret = os.environ["${checkVariable(plan)}"]`,
      '    if not secret: raise ValueError("the secret is empty")',
      '    key = base64.b64decode(secret[6:] + "==") if secret.startswith("whsec_") else secret.encode()',
      `    made = hmac.new(key, text, hashlib.${hashes[hash]}).digest()`,
      `    signature = ${encodings[encoding]}`,
      `    expected = ${wrapped(plan)}`,
      '    return hmac.compare_digest(expected.encode(), given.encode())',
    ];
  }
  const name = `hashes.${hashes[hash].toUpperCase()}()`;
  const cut = `given[${before.length}:${after === '' ? '' : String(-after.length)}]`;
  return [
    `    with open(os.environ["${checkVariable(plan)}"], "rb") as file:`,
    `        key = serialization.load_${keyFormat.toLowerCase()}_public_key(file.read())`,
    ...(before + after === ''
      ? []
      : [`    if not (given.startswith(${quoted(before)}) and given.endswith(${quoted(after)})): return False`]),
    `    encoded = ${before + after === '' ? 'given' : cut}`,
    '    try:',
    `        made = ${decodings[encoding]}`,
    algorithm === 'RSA2'
      ? `        key.verify(made, text, padding.PKCS1v15(), ${name})`
      : `        key.verify(made, text, ec.ECDSA(${name}))`,
    '    except (ValueError, InvalidSignature):',
    '        return False',
    '    return True',
  ];
}
