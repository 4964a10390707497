import { readFileSync } from 'node:fs';
import { createHmac } from 'node:crypto';
import path from 'node:path';
import { signatureSettings } from '../../../src/adapters/in/http/manage/credentials/signature-mapper';
import type { SignatureDto } from '../../../src/adapters/in/http/manage/credentials/signature.dto';
import { NodeSignatureLab } from '../../../src/adapters/out/signing/signature-lab';
import type { Credentials, CredentialValue } from '../../../src/domain/credentials/credential';
import { readAsSent } from '../../../src/domain/credentials/explain/as-sent';
import { signedBytes } from '../../../src/domain/credentials/explain/filling';
import { agreedFilling, type SignatureCase } from '../../../src/domain/credentials/explain/signature-case';
import { prepareSigning } from '../../../src/domain/credentials/signing/signing-string';
import type { OtherSigner } from '../../../src/domain/credentials/explain/suspect-keys';
import type { SignatureAlgorithm } from '../../../src/domain/credentials/signing/signature-settings';
import { Secret } from '../../../src/domain/shared/secret';

interface StoredLine {
  readonly hmac_secret?: string;
  readonly partner_public_key?: string;
}

interface Line extends StoredLine {
  readonly name: string;
  readonly algorithm: SignatureAlgorithm;
  readonly expected: readonly string[];
  readonly settings: SignatureDto;
  readonly previous?: string;
  readonly other_apps?: readonly (StoredLine & { id: string; api_client_id?: string })[];
  readonly merchant_id?: string;
  readonly public_base_url: string;
  readonly received_at: number;
  readonly request: { method: string; target: string; headers: readonly (readonly [string, string])[]; body_base64: string };
}

/** One broken request of the corpus, and its mistake. */
export interface BrokenRequest {
  readonly name: string;
  readonly algorithm: SignatureAlgorithm;
  /** Cause codes, or `unknown` alone. */
  readonly expected: readonly string[];
  readonly theCase: SignatureCase;
  /** Texts that must never be shown. */
  readonly secrets: readonly string[];
  /** Signatures that must never be shown: the one that was sent, and with HMAC those that would have been right. */
  readonly signatures: () => readonly string[];
}

const folder = path.join(__dirname, '../../corpus');
const keys = JSON.parse(readFileSync(path.join(folder, 'keys.json'), 'utf8')) as Readonly<Record<string, string>>;

/** The corpus that tests/corpus/make-corpus.sh wrote. */
export const brokenRequests = (): readonly BrokenRequest[] =>
  readFileSync(path.join(folder, 'corpus.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => broken(JSON.parse(line) as Line));

const textOf = (name: string): string => keys[name] ?? name;

function broken({ name, algorithm, expected, settings, previous, request, ...line }: Line): BrokenRequest {
  const kind = algorithm === 'HMAC' ? 'hmac_secret' : 'partner_public_key';
  const current = credentialsOf(line)[kind]?.current;
  const before = previous === undefined ? undefined : valueOf(textOf(previous));
  const body = Buffer.from(request.body_base64, 'base64');
  const others = (line.other_apps ?? []).map((other): OtherSigner => ({
    name: other.id,
    credentials: credentialsOf(other),
    apiClientId: other.api_client_id,
  }));
  const theCase: SignatureCase = {
    request: { method: request.method, target: request.target, rawHeaders: request.headers.flat(), body, remoteAddress: '' },
    settings: signatureSettings(settings),
    credentials: { [kind]: { current, ...(before && { previous: { ...before, validUntil: line.received_at - 1 } }) } },
    merchantId: line.merchant_id,
    receivedAt: line.received_at,
    publicBaseUrl: line.public_base_url,
    windowS: 300,
    others,
    ids: idsIn(body),
  };
  const secrets = Object.entries(keys).flatMap(([key, text]) => (key.startsWith('hmac') ? [text] : []));
  const sent = request.headers.flatMap(([header, value]) => (/sig|auth/i.test(header) ? [value] : []));
  return { name, algorithm, expected, theCase, secrets, signatures: () => [...sent, ...rightSignatures(theCase)] };
}

/** With the secret of the app, over the agreed text, in every encoding. */
function rightSignatures(theCase: SignatureCase): string[] {
  const secret = theCase.credentials.hmac_secret?.current?.secret.reveal();
  if (secret === undefined) return [];
  const { settings, receivedAt, merchantId, request } = theCase;
  const sent = readAsSent({ request, settings, ready: prepareSigning(settings), merchantId, receivedAt, windowS: 300 });
  const text = signedBytes(agreedFilling(theCase, sent), new NodeSignatureLab());
  const mac = createHmac(settings.hash.replace('-', ''), secret).update(text).digest();
  return (['hex', 'base64', 'base64url'] as const).map((encoding) => mac.toString(encoding));
}

const valueOf = (text: string): CredentialValue => ({
  secret: new Secret(text),
  publicKey: text,
  fingerprint: 'sha256:0123',
  createdAt: 0,
});

function credentialsOf({ hmac_secret: secret, partner_public_key: publicKey }: StoredLine): Credentials {
  return {
    ...(secret !== undefined && { hmac_secret: { current: valueOf(textOf(secret)) } }),
    ...(publicKey !== undefined && { partner_public_key: { current: valueOf(textOf(publicKey)) } }),
  };
}

function idsIn(body: Buffer): Record<string, string> {
  const read = (name: string): string | undefined => new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`).exec(body.toString('utf8'))?.[1];
  return Object.fromEntries(['app_id', 'client_id'].flatMap((name) => (read(name) === undefined ? [] : [[name, read(name) ?? '']])));
}
