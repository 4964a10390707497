import type { SignatureHash, TimestampPrecision } from '../../signing/signature-settings';
import { keyHint, keyVariable, pieces, program, quoted, usesFixed, type SamplePlan } from './sample-plan';

export const hashes: Readonly<Record<SignatureHash, string>> = {
  ...{ 'SHA-224': 'sha224', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512', 'SHA-1': 'sha1', MD5: 'md5' },
};
const units: Readonly<Record<TimestampPrecision, string>> = {
  seconds: '1_000_000_000',
  milliseconds: '1_000_000',
  microseconds: '1_000',
  nanoseconds: '1',
};
export const names = {
  ...{ request_method: 'method', url: 'url', client_id: 'CLIENT_ID', timestamp: 'timestamp', nonce: 'nonce' },
  ...{ identity: 'IDENTITY', merchant_id: 'MERCHANT_ID', payload: 'body' },
};

/** Signing code for Python 3; RSA2 and ECDSA need the package `cryptography`. */
export function pythonSample(plan: SamplePlan): string {
  const { headers, nonceLength, fixed, algorithm } = plan;
  const set = (name: keyof typeof fixed): string | false => usesFixed(plan, name) && `${names[name]} = ${quoted(fixed[name])}`;
  const joined = pieces(plan, names, quoted).map((piece) => (piece === 'body' ? piece : `${piece}.encode()`));
  return program(
    '# Prints the headers that sign a request: python3 sign.py POST https://… < body.json',
    `# ${keyHint(plan)} Send the very bytes that were signed.`,
    'import base64, hashlib, hmac, os, secrets, sys, time, urllib.parse',
    algorithm !== 'HMAC' && 'from cryptography.hazmat.primitives import hashes, serialization',
    algorithm !== 'HMAC' && 'from cryptography.hazmat.primitives.asymmetric import ec, padding',
    '',
    set('client_id'),
    set('identity'),
    set('merchant_id'),
    '',
    'def signature_headers(method, address, body):',
    plan.urlForm === 'full' ? '    url = address' : '    url = "/" + address.split("://", 1)[-1].partition("/")[2]',
    `    timestamp = str(time.time_ns() // ${units[plan.precision]})`,
    nonceLength > 0 && `    nonce = secrets.token_hex(${nonceLength})[:${nonceLength}]`,
    `    text = ${joined.join(' + ')}`,
    ...signing(plan),
    '    return {',
    ...headers.map(({ name, value }) => `        ${quoted(name)}: ${value === 'signature' ? wrapped(plan) : names[value]},`),
    '    }',
    '',
    'if __name__ == "__main__":',
    '    for name, value in signature_headers(sys.argv[1], sys.argv[2], sys.stdin.buffer.read()).items():',
    '        print(f"{name}: {value}")',
  );
}

export const wrapped = ({ before, after }: SamplePlan): string =>
  [before && `${quoted(before)} + `, 'signature', after && ` + ${quoted(after)}`].join('');

const encodings = {
  base64: 'base64.b64encode(made).decode()',
  base64url: 'base64.urlsafe_b64encode(made).decode().rstrip("=")',
  hex: 'made.hex()',
} as const;

function signing(plan: SamplePlan): string[] {
  const { algorithm, hash, encoding, keyFormat } = plan;
  const encode = `    signature = ${encodings[encoding]}`;
  if (algorithm === 'HMAC') {
    return [
      `    secret = os.environ["${keyVariable(plan)}"]`,
      '    key = base64.b64decode(secret[6:] + "==") if secret.startswith("whsec_") else secret.encode()',
      `    made = hmac.new(key, text, hashlib.${hashes[hash]}).digest()`,
      encode,
    ];
  }
  const name = `hashes.${hashes[hash].toUpperCase()}()`;
  return [
    `    with open(os.environ["${keyVariable(plan)}"], "rb") as file:`,
    `        key = serialization.load_${keyFormat.toLowerCase()}_private_key(file.read(), password=None)`,
    algorithm === 'RSA2' ? `    made = key.sign(text, padding.PKCS1v15(), ${name})` : `    made = key.sign(text, ec.ECDSA(${name}))`,
    encode,
  ];
}
