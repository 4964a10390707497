import type { SignatureHash, TimestampPrecision } from '../../signing/signature-settings';
import { keyHint, keyVariable, pieces, program, quoted, usesFixed, type SamplePlan } from './sample-plan';

const hashes: Readonly<Record<SignatureHash, string>> = {
  ...{ 'SHA-224': 'sha224', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512', 'SHA-1': 'sha1', MD5: 'md5' },
};
const times: Readonly<Record<TimestampPrecision, string>> = {
  seconds: 'String(Math.floor(Date.now() / 1000))',
  milliseconds: 'String(Date.now())',
  microseconds: 'String(Date.now()) + "000"',
  nanoseconds: 'String(Date.now()) + "000000"',
};
const names = {
  ...{ request_method: 'method', url: 'url', client_id: 'clientId', timestamp: 'timestamp', nonce: 'nonce' },
  ...{ identity: 'identity', merchant_id: 'merchantId', payload: 'body' },
};

/** Signing code for Node. */
export function typescriptSample(plan: SamplePlan): string {
  const { headers, nonceLength, fixed } = plan;
  const set = (name: keyof typeof fixed): string | false => usesFixed(plan, name) && `const ${names[name]} = ${quoted(fixed[name])};`;
  return program(
    `// Prints the headers that sign a request: node sign.ts POST https://… < body.json`,
    `// ${keyHint(plan)} Send the very bytes that were signed.`,
    `import * as crypto from 'node:crypto';`,
    `import * as fs from 'node:fs';`,
    '',
    set('client_id'),
    set('identity'),
    set('merchant_id'),
    '',
    'function signatureHeaders(method: string, address: string, body: Buffer): Record<string, string> {',
    `  const url = ${plan.urlForm === 'full' ? 'address' : 'new URL(address).pathname + new URL(address).search'};`,
    `  const timestamp = ${times[plan.precision]};`,
    nonceLength > 0 && `  const nonce = crypto.randomBytes(${nonceLength}).toString('hex').slice(0, ${nonceLength});`,
    `  const text = Buffer.concat([${pieces(plan, names, quoted).join(', ')}].map((part) => Buffer.from(part as string)));`,
    ...signing(plan),
    `  return {`,
    ...headers.map(({ name, value }) => `    ${quoted(name)}: ${value === 'signature' ? wrapped(plan) : names[value]},`),
    `  };`,
    '}',
    '',
    `const [method = 'POST', address = ''] = process.argv.slice(2);`,
    'for (const [name, value] of Object.entries(signatureHeaders(method, address, fs.readFileSync(0)))) console.log(`${name}: ${value}`);',
  );
}

const wrapped = ({ before, after }: SamplePlan): string =>
  [before && `${quoted(before)} + `, 'signature', after && ` + ${quoted(after)}`].join('');

function signing(plan: SamplePlan): string[] {
  const { algorithm, hash, encoding, keyFormat } = plan;
  const variable = `process.env.${keyVariable(plan)}`;
  if (algorithm === 'HMAC') {
    return [
      `  const secret = ${variable} ?? '';`,
      `  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8');`,
      `  const signature = crypto.createHmac('${hashes[hash]}', key).update(text).digest('${encoding}');`,
    ];
  }
  const file = `fs.readFileSync(${variable} ?? '')`;
  const key = keyFormat === 'PEM' ? file : `{ key: ${file}, format: 'der', type: 'pkcs8' }`;
  return [
    `  const key = crypto.createPrivateKey(${key});`,
    `  const signature = crypto.sign('${hashes[hash]}', text, key).toString('${encoding}');`,
  ];
}
