import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transformSync } from '@swc/core';
import type { SampleLanguage } from '../../../src/domain/credentials/explain/sample-languages';
import { checkSignature } from '../../../src/domain/credentials/signing/signature-check';
import {
  defaultSignatureSettings,
  type SignatureAlgorithm,
  type SignatureSettings,
} from '../../../src/domain/credentials/signing/signature-settings';
import type { Miniapp } from '../../../src/domain/partners/miniapp';
import { defaultMiniappSettings } from '../../../src/domain/partners/miniapp';
import { SystemClock } from '../../../src/adapters/out/system/system-clock';
import { Secret } from '../../../src/domain/shared/secret';
import { samples } from './sample-programs';
import { aSignRequest, signatureTools } from './signing';

/** Settings under which signing code is tried, so chosen that each member takes several values. */
export const sampledSettings: Readonly<
  Record<string, Partial<SignatureSettings> & { algorithm: SignatureAlgorithm; curve?: string; secret?: string }>
> = {
  'HMAC as it is by default': { algorithm: 'HMAC' },
  'HMAC with everything set': {
    ...{
      algorithm: 'HMAC',
      hash: 'SHA-512',
      encoding: 'hex',
      timestampPrecision: 'milliseconds',
      nonceLength: 33,
      identity: `it's "$HOME" \\ {id}`.replace(/[{}]/g, ''),
    },
    ...{ urlForm: 'path', signatureTemplate: 'v1={signature};', secret: 'a secret with $, " and \' in it, of 32 bytes and more' },
    payloadTemplate: '{request_method}\n{url}\n{client_id}|{timestamp}\'{nonce}"{identity}$x\\{merchant_id}\t{payload}\n',
  },
  'HMAC with a marked secret': {
    algorithm: 'HMAC',
    hash: 'SHA-224',
    timestampPrecision: 'microseconds',
    secret: `whsec_${Buffer.alloc(32, 200).toString('base64')}`,
    payloadTemplate: '{nonce}.{timestamp}.{payload}',
    nonceLength: 16,
  },
  'RSA2 in PEM': { algorithm: 'RSA2', encoding: 'base64url', timestampPrecision: 'microseconds' },
  'RSA2 in DER': { algorithm: 'RSA2', hash: 'SHA-1', keyFormat: 'DER', nonceLength: 20, urlForm: 'path' },
  'ECDSA on P-256': { algorithm: 'ECDSA', encoding: 'hex' },
  'ECDSA on P-384 in DER': {
    algorithm: 'ECDSA',
    hash: 'SHA-384',
    curve: 'P-384',
    keyFormat: 'DER',
    timestampPrecision: 'nanoseconds',
    signatureTemplate: 'sig {signature}',
  },
};

interface Runner {
  readonly file: string;
  readonly command: (file: string) => readonly [string, ...string[]];
}

const runners: Readonly<Record<SampleLanguage, Runner>> = {
  typescript: { file: 'sign.cjs', command: (file) => [process.execPath, file] },
  python: { file: 'sign.py', command: (file) => ['python3', file] },
  java: { file: 'Sign.java', command: (file) => ['java', file] },
  go: { file: 'sign.go', command: (file) => ['go', 'run', file] },
  php: { file: 'sign.php', command: (file) => ['php', file] },
  shell: { file: 'sign.sh', command: (file) => ['bash', file] },
};

const versionOf: Readonly<Record<SampleLanguage, readonly [string, ...string[]]>> = {
  typescript: [process.execPath, '--version'],
  python: ['python3', '--version'],
  java: ['java', '--version'],
  go: ['go', 'version'],
  php: ['php', '--version'],
  shell: ['openssl', 'version'],
};

/** Whether programs of the language can be run on this machine. */
export const canRun = async (language: SampleLanguage): Promise<boolean> => (await run(versionOf[language], {})).code === 0;
export const pythonHasCryptography = async (): Promise<boolean> => (await run(['python3', '-c', 'import cryptography'], {})).code === 0;

interface Given {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program; its code is 1 for every failure. */
export function run(
  [command, ...args]: readonly [string, ...string[]],
  { input = '', cwd, env = {} }: Given,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      command,
      args,
      { cwd, env: { ...process.env, GO111MODULE: 'off', ...env }, timeout: 60_000 },
      (error, stdout, stderr) => {
        resolve({ code: error ? 1 : 0, stdout, stderr: stderr || (error?.message ?? '') });
      },
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

const address = 'https://platform.example/api/v1/orders/create-order-payment/?lang=de&x=%20';
const body = '{"app_id":"app_1","note":"Zoë, grüß \\"Bob\\"","amount":1.10}\n';

const verifierFiles: Readonly<Record<SampleLanguage, string>> = {
  typescript: 'verify.cjs',
  python: 'verify.py',
  java: 'Verify.java',
  go: 'verify.go',
  php: 'verify.php',
  shell: 'verify.sh',
};

/** A program as its runner takes it. */
const runnable = (language: SampleLanguage, text: string): string =>
  language === 'typescript'
    ? transformSync(text, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } }).code
    : text;

/** Makes `pierhead/kit` what this build has made of it. */
async function installKit(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'node_modules'));
  await symlink(path.join(__dirname, '../../..'), path.join(folder, 'node_modules/pierhead'));
}

/** What the checking code for the settings says of a request that the service signed, and of the same with one byte of its body changed. */
export async function verdictsOf(language: SampleLanguage, sampled: (typeof sampledSettings)[string]): Promise<readonly number[]> {
  const { curve = 'P-256', secret = 'secret-of-the-tests-which-has-more-than-32-bytes', ...given } = sampled;
  const settings: SignatureSettings = { ...defaultSignatureSettings, enabled: true, apiClientId: 'cid_1', ...given };
  const folder = await mkdtemp(path.join(tmpdir(), 'checking-'));
  try {
    const pair =
      given.algorithm === 'ECDSA' ? generateKeyPairSync('ec', { namedCurve: curve }) : generateKeyPairSync('rsa', { modulusLength: 2048 });
    const [keyFile, headerFile, file] = ['key', 'headers.txt', verifierFiles[language]].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ];
    const form = { type: 'spki', format: settings.keyFormat === 'DER' ? 'der' : 'pem' } as { type: 'spki'; format: 'pem' };
    await writeFile(keyFile, pair.publicKey.export(form));
    await writeFile(file, runnable(language, samples.checking(settings, 'm-9')[language]));
    if (language === 'typescript') await installKit(folder);
    const value = (text: string) => ({ current: { secret: new Secret(text), fingerprint: 'sha256:0', createdAt: 0 } });
    const receiver: Miniapp = {
      ...{ kind: 'miniapp', id: 'app_1', version: 1, settings: { ...defaultMiniappSettings, name: 'Mini', signature: settings } },
      credentials: {
        hmac_secret: value(secret),
        platform_key: value(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string),
      },
    };
    const request = { method: 'POST', url: address, body: Buffer.from(body), headers: {} };
    const headers = await aSignRequest(new SystemClock()).execute({ receiver, merchantId: 'm-9', request });
    await writeFile(
      headerFile,
      Object.entries(headers)
        .map(([name, text]) => `${name}: ${text}\n`)
        .join(''),
    );
    const command = [...runners[language].command(file), 'POST', address, headerFile] as [string, ...string[]];
    const env = given.algorithm === 'HMAC' ? { HMAC_SECRET: secret } : { PUBLIC_KEY_FILE: keyFile };
    const verify = async (input: string): Promise<number> => {
      const { code, stderr } = await run(command, { input, cwd: folder, env });
      if (stderr.replace(/^Command failed.*$|^exit status 1$/gm, '').trim() !== '') throw new Error(`${language}: ${stderr}`);
      return code;
    };
    return [await verify(body), await verify(body.replace('Z', 'z'))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the signing code for the settings, and has the service's own check judge what it prints. Throws its mistake. */
export async function provesItself(language: SampleLanguage, sampled: (typeof sampledSettings)[string]): Promise<void> {
  const { curve = 'P-256', secret = 'secret-of-the-tests-which-has-more-than-32-bytes', ...given } = sampled;
  const settings: SignatureSettings = { ...defaultSignatureSettings, enabled: true, apiClientId: 'cid_1', ...given };
  const folder = await mkdtemp(path.join(tmpdir(), 'signing-'));
  try {
    const pair =
      given.algorithm === 'ECDSA' ? generateKeyPairSync('ec', { namedCurve: curve }) : generateKeyPairSync('rsa', { modulusLength: 2048 });
    const keyFile = path.join(folder, 'key');
    await writeFile(
      keyFile,
      pair.privateKey.export({ type: 'pkcs8', format: settings.keyFormat === 'DER' ? 'der' : 'pem' } as { type: 'pkcs8'; format: 'pem' }),
    );
    const text = samples.signing(settings, 'm-9')[language];
    const file = path.join(folder, runners[language].file);
    await writeFile(file, runnable(language, text));
    const [command, ...args] = runners[language].command(file);
    const env = given.algorithm === 'HMAC' ? { HMAC_SECRET: secret } : { PRIVATE_KEY_FILE: keyFile };
    const { code, stdout, stderr } = await run([command, ...args, 'POST', address], { input: body, cwd: folder, env });
    if (code !== 0) throw new Error(`${language} failed: ${stderr}\n${text}`);
    const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }) as string;
    const value = { secret: new Secret(secret), fingerprint: 'sha256:0', createdAt: 0, ...(given.algorithm !== 'HMAC' && { publicKey }) };
    await verifyAll(settings, { value, headers: stdout });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function verifyAll(
  settings: SignatureSettings,
  { value, headers }: { value: { secret: Secret; fingerprint: string; createdAt: number }; headers: string },
): Promise<void> {
  const kind = settings.algorithm === 'HMAC' ? 'hmac_secret' : 'partner_public_key';
  const partner: Miniapp = {
    kind: 'miniapp',
    id: 'app_1',
    version: 1,
    settings: { ...defaultMiniappSettings, name: 'Mini', signature: settings },
    credentials: { [kind]: { current: value } },
  };
  const rawHeaders = headers
    .trimEnd()
    .split('\n')
    .flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
  const check = checkSignature({ partner, merchantId: 'm-9' }, { ...signatureTools, publicBaseUrl: 'https://platform.example' });
  await check(
    {
      method: 'POST',
      target: address.slice('https://platform.example'.length),
      rawHeaders,
      body: Buffer.from(body),
      remoteAddress: '',
    },
    Date.now(),
  );
}
