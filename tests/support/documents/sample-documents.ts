import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { samples, verifierLanguages, type VerifierLanguage } from '../signatures/sample-programs';
import { defaultSignatureSettings } from '../../../src/domain/credentials/signing/signature-settings';
import { sign, verify, type AgreedSignature } from '../../../src/kit/kit';

export const samplesFolder = join(__dirname, '../../../docs/samples');
export const sampleAlgorithms = ['HMAC', 'RSA2', 'ECDSA'] as const;
type Algorithm = (typeof sampleAlgorithms)[number];
const apiClientId = 'cid_1';

/** The names of the two programs of each language. */
export const sampleNames: Readonly<Record<VerifierLanguage, { readonly sign: string; readonly verify: string }>> = {
  python: { sign: 'sign.py', verify: 'verify.py' },
  java: { sign: 'Sign.java', verify: 'Verify.java' },
  go: { sign: 'sign.go', verify: 'verify.go' },
  php: { sign: 'sign.php', verify: 'verify.php' },
  shell: { sign: 'sign.sh', verify: 'verify.sh' },
};

/** The samples as they must stand in docs/samples, by their path: what the workbench writes for the contract's default settings. */
export function samplePrograms(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const algorithm of sampleAlgorithms) {
    const settings = { ...defaultSignatureSettings, enabled: true, algorithm, apiClientId };
    const [signers, verifiers] = [samples.signing(settings, undefined), samples.checking(settings, undefined)];
    for (const language of verifierLanguages) {
      const folder = `${language}/${algorithm.toLowerCase()}`;
      files.set(`${folder}/${sampleNames[language].sign}`, signers[language]);
      files.set(`${folder}/${sampleNames[language].verify}`, verifiers[language]);
    }
  }
  return files;
}

/** Keys of the vectors, of use for nothing else. */
export interface VectorKeys {
  readonly HMAC: { readonly hmac_secret: string };
  readonly RSA2: { readonly private_key: string; readonly public_key: string };
  readonly ECDSA: { readonly private_key: string; readonly public_key: string };
}

/** One request, and whether its signature fits at `now`. */
export interface SampleVector {
  readonly name: string;
  readonly algorithm: Algorithm;
  /** Unix seconds. */
  readonly now: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly fits: boolean;
}

export interface VectorFile {
  readonly about: string;
  readonly keys: VectorKeys;
  readonly vectors: readonly SampleVector[];
}

export const vectorFile = join(samplesFolder, 'vectors.json');
export const keptVectors = (): VectorFile => JSON.parse(readFileSync(vectorFile, 'utf8')) as VectorFile;

/** What a partner agreed on, and what it checks with. */
export const agreementOf = (algorithm: Algorithm, keys: VectorKeys): AgreedSignature =>
  algorithm === 'HMAC'
    ? { algorithm, api_client_id: apiClientId, ...keys.HMAC }
    : { algorithm, api_client_id: apiClientId, private_key: keys[algorithm].private_key, platform_public_key: keys[algorithm].public_key };

const at = 1_700_000_000;
// Source: contract/signatures#test-vector.
const contractBody = '{"app_id":"app_abc123","client_id":"host_abc123def456","order":{"currency":"USD","amount":"1.10"}}';
const requests = [
  {
    name: 'the vector of the contract',
    method: 'POST',
    url: 'https://platform.example/api/v1/orders/create-order-payment/',
    body: contractBody,
  },
  { name: 'a query and no body', method: 'GET', url: 'https://host.example/user?lang=de&x=%20', body: '' },
  {
    name: 'UTF-8 and a line break at the end',
    method: 'POST',
    url: 'https://shop.example/webhook',
    body: '{"note":"Zoë, grüß \\"Bob\\""}\n',
  },
] as const;

/** The vectors anew: with the keys, and the ECDSA signatures, that are kept; those are another each time. */
export async function makeVectors(): Promise<VectorFile> {
  const kept = existsSync(vectorFile) ? keptVectors() : undefined;
  const keys = kept?.keys ?? newKeys();
  const vectors: SampleVector[] = [];
  for (const algorithm of sampleAlgorithms) {
    for (const { name, ...request } of requests) {
      const same = kept?.vectors.find((vector) => vector.algorithm === algorithm && vector.name === name);
      const headers = (await stillFits(same, keys)) ?? (await sign(request, agreementOf(algorithm, keys), at * 1000));
      vectors.push({ name, algorithm, now: at, ...request, headers, fits: true });
    }
    const first = vectors.at(-requests.length);
    if (first) vectors.push(...changesOf(first));
  }
  return { about: 'Signed requests under the contract’s default settings; the keys are of use for nothing else.', keys, vectors };
}

async function stillFits(vector: SampleVector | undefined, keys: VectorKeys): Promise<SampleVector['headers'] | undefined> {
  if (!vector) return undefined;
  return verify(vector, agreementOf(vector.algorithm, keys), { now: vector.now * 1000 }).then(
    () => vector.headers,
    () => undefined,
  );
}

/** One thing changed in each, a byte where there are bytes: none of them fits. */
function changesOf(right: SampleVector): SampleVector[] {
  const signature = right.headers['X-Signature'] ?? '';
  const changed = (name: string, change: Partial<SampleVector>): SampleVector => ({ ...right, name, ...change, fits: false });
  const withHeader = (name: string, value: string) => ({ headers: { ...right.headers, [name]: value } });
  const { 'X-Signature': _signature, ...unsigned } = right.headers;
  return [
    changed('one byte of the body changed', { body: right.body.replace('1.10', '1.11') }),
    changed('one blank in the body', { body: right.body.replace(':', ': ') }),
    changed('another method', { method: 'PUT' }),
    changed('no final slash', { url: right.url.slice(0, -1) }),
    changed('another second', withHeader('X-Timestamp', String(at + 1))),
    changed('another client id', withHeader('X-Client-Id', 'cid_2')),
    changed('one character of the signature changed', withHeader('X-Signature', swapped(signature, 20))),
    changed('half a signature', withHeader('X-Signature', signature.slice(0, 20))),
    changed('no signature', { headers: unsigned }),
    changed('301 seconds old', { now: at + 301 }),
    changed('301 seconds ahead', { now: at - 301 }),
  ];
}

const swapped = (text: string, i: number): string => text.slice(0, i) + (text[i] === 'A' ? 'B' : 'A') + text.slice(i + 1);

function newKeys(): VectorKeys {
  const exported = ({ privateKey, publicKey }: ReturnType<typeof generateKeyPairSync>) => ({
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    public_key: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  });
  return {
    HMAC: { hmac_secret: 'secret' },
    RSA2: exported(generateKeyPairSync('rsa', { modulusLength: 2048 })),
    ECDSA: exported(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  };
}
