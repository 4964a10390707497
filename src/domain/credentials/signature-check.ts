import type { HostApp } from '../partners/host-app';
import type { Miniapp } from '../partners/miniapp';
import { refusal } from '../shared/errors';
import { JsonSyntaxError, printJson, readJson } from '../shared/json';
import { CredentialsRejected, headerOnce, type Check, type InboundRequest } from './check';
import { acceptedValues, type CredentialValue } from './credential';
import {
  UnusableKey,
  type CredentialUses,
  type NonceLedger,
  type SignatureText,
  type SigningMaterial,
  type SigningProvider,
  type SigningProviders,
} from './ports';
import { missingSignatureSettings } from './signature-rules';
import type { SignatureAlgorithm, SignatureHeaderNames, SignatureSettings } from './signature-settings';
import {
  inboundUrl,
  outboundUrl,
  prepareSigning,
  readTimestamp,
  signingString,
  type PreparedSigning,
  type SignedValues,
} from './signing-string';

/** What signatures are checked with. */
export interface SignatureTools {
  readonly providers: SigningProviders;
  readonly signatureText: SignatureText;
  readonly nonces: NonceLedger;
  readonly uses: CredentialUses;
  /** What `{url}` is built from, without a final slash. */
  readonly publicBaseUrl: string;
  /** Seconds by which a timestamp may differ from the clock. */
  readonly windowS: number;
}

/** Whose signature is checked, and how. */
export interface SignatureRule {
  readonly partner: HostApp | Miniapp;
  /** Of the integration; `undefined`: none is stored. */
  readonly merchantId: string | undefined;
  /** Where the signature and its companions stand: the partner's names, unless they are another's on this call. */
  readonly headerNames: SignatureHeaderNames;
  /**
   * Where the partner itself checks the platform's call: the URL as it is stored, which was signed over the very bytes that are
   * sent. Absent: the URL is made of the public address and the target, and the body is also tried in the partner's form.
   */
  readonly calledAt?: string;
}

const refused = (cause: string, message: string): CredentialsRejected => new CredentialsRejected('INVALID_SIGNATURE', message, { cause });
const unreadable = (cause: string, message: string): CredentialsRejected =>
  new CredentialsRejected('SIGNATURE_VALIDATION_ERROR', message, { cause });

/**
 * The request is signed as the partner's settings say (decisions §4). In this order: the settings are complete, the headers
 * are there and fit, the timestamp is near the clock, the signature is of an accepted key, the nonce is new. Nothing of a
 * request decides how it is checked (T18).
 */
export const checkSignature =
  (rule: SignatureRule, tools: SignatureTools): ((...call: Parameters<Check>) => Promise<void>) =>
  async (request, now) => {
    const { signature: settings } = rule.partner.settings;
    const algorithm = requireComplete(rule);
    const ready = prepareSigning(settings);
    const sent = readHeaders(rule, request, ready);
    requireRecent(sent.timestamp, { ready, now, windowS: tools.windowS });
    const signature = decoded(sent.signature, { settings, ready, tools });
    const { calledAt } = rule;
    const url =
      calledAt === undefined ? inboundUrl(request.target, settings.urlForm, tools.publicBaseUrl) : outboundUrl(calledAt, settings.urlForm);
    if (url === undefined) throw refused('url', 'The request target is not a path of a URI, so it cannot be signed');

    const values = Object.assign({ request_method: request.method.toUpperCase(), url }, sent.values);
    const provider = tools.providers[algorithm];
    const value = await signerOf({ rule, request, values, signature, ready, provider, now, algorithm });
    if (!value) throw refused('signature', 'The signature does not fit the request and the stored key');
    await requireNew(rule, sent.nonce, tools, now);
    const { kind: partner, id } = rule.partner;
    tools.uses.used({ partner, id, kind: credentialKindOf(algorithm), value, address: request.remoteAddress });
  };

const credentialKindOf = (algorithm: SignatureAlgorithm) => (algorithm === 'HMAC' ? 'hmac_secret' : 'partner_public_key');

function requireComplete({ partner, merchantId }: SignatureRule): SignatureAlgorithm {
  const { signature } = partner.settings;
  const [missing] = missingSignatureSettings(signature, partner.credentials, 'in');
  if (missing !== undefined) throw incomplete(missing);
  if (merchantId === undefined && prepareSigning(signature).uses.has('merchant_id')) throw incomplete('merchant_id');
  return signature.algorithm ?? 'HMAC';
}

const incomplete = (setting: string): Error =>
  refusal('invalid', 'MISSING_REQUEST_SIGNATURE_SETTINGS', { setting: setting === 'merchant_id' ? setting : `signature.${setting}` });

interface SentHeaders {
  readonly signature: string;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  readonly values: Omit<SignedValues, 'payload'>;
}

/** A header is required when its placeholder is in the template; one that is sent must fit what is stored all the same. */
function readHeaders({ partner, merchantId, headerNames }: SignatureRule, request: InboundRequest, ready: PreparedSigning): SentHeaders {
  const { apiClientId, identity, nonceLength } = partner.settings.signature;
  const read = (member: keyof SignatureHeaderNames, required: boolean): string | undefined => {
    const value = headerOnce(request, headerNames[member]) || undefined;
    if (value !== undefined || !required) return value;
    throw new CredentialsRejected('MISSING_HEADER', `Missing required header: ${headerNames[member]}`, { cause: headerNames[member] });
  };
  const fixed = (member: 'clientId' | 'identity' | 'merchantId', stored: string | undefined, required: boolean): string | undefined => {
    if (stored === undefined) return undefined;
    const value = read(member, required);
    if (value === undefined || value === stored) return value;
    throw refused(headerNames[member], `${headerNames[member]} is not the value that is stored`);
  };
  const signature = read('signature', true) ?? '';
  const client_id = fixed('clientId', apiClientId, ready.uses.has('client_id'));
  const timestamp = read('timestamp', ready.uses.has('timestamp'));
  const nonce = nonceLength > 0 || ready.uses.has('nonce') ? read('nonce', ready.uses.has('nonce')) : undefined;
  if (nonce !== undefined && !ready.nonceForm.test(nonce))
    throw refused(headerNames.nonce, `${headerNames.nonce} has a wrong length or characters`);
  const merchant_id = ready.uses.has('merchant_id') ? fixed('merchantId', merchantId, true) : undefined;
  const stated = { client_id, identity: fixed('identity', identity, ready.uses.has('identity')), merchant_id, timestamp, nonce };
  return { signature, timestamp, nonce, values: stated };
}

interface TimeRule {
  readonly ready: PreparedSigning;
  readonly now: number;
  readonly windowS: number;
}

/** A timestamp that is not part of the signed text is worth nothing, and judged all the same where it is sent. */
function requireRecent(timestamp: string | undefined, { ready, now, windowS }: TimeRule): void {
  if (timestamp === undefined) return;
  const at = readTimestamp(timestamp, ready);
  if (at === undefined) throw unreadable('timestamp', 'The timestamp is not a plain number');
  const aheadS = Math.round((at - now) / 1000);
  if (Math.abs(at - now) <= windowS * 1000) return;
  const where = aheadS > 0 ? 'ahead of' : 'behind';
  throw refused('timestamp', `The timestamp is ${String(Math.abs(aheadS))} s ${where} the clock; ${String(windowS)} s are allowed`);
}

interface Decoding {
  readonly settings: SignatureSettings;
  readonly ready: PreparedSigning;
  readonly tools: SignatureTools;
}

function decoded(header: string, { settings, ready: { before, after }, tools }: Decoding): Uint8Array {
  const fits = header.length >= before.length + after.length && header.startsWith(before) && header.endsWith(after);
  if (!fits) throw unreadable('signature_template', 'The signature header does not have the agreed text around the signature');
  const text = header.slice(before.length, header.length - after.length);
  const bytes = tools.signatureText.decode(text, settings.encoding);
  if (!bytes || bytes.length === 0) throw unreadable('encoding', `The signature is not ${settings.encoding}`);
  return bytes;
}

interface Verification {
  readonly rule: SignatureRule;
  readonly request: InboundRequest;
  readonly values: Omit<SignedValues, 'payload'>;
  readonly signature: Uint8Array;
  readonly ready: PreparedSigning;
  readonly provider: SigningProvider;
  readonly algorithm: SignatureAlgorithm;
  readonly now: number;
}

/** The accepted credential whose signature it is: over the raw bytes first, then over the body in the partner's form. */
async function signerOf({
  rule,
  request,
  values,
  signature,
  ready,
  provider,
  algorithm,
  now,
}: Verification): Promise<CredentialValue | undefined> {
  const { calledAt, partner } = rule;
  const { credentials, settings } = partner;
  const accepted = acceptedValues(credentials[credentialKindOf(algorithm)], now);
  for (const payload of calledAt === undefined ? payloadsOf(request.body, ready) : [request.body]) {
    const text = signingString(ready.parts, Object.assign({ payload }, values));
    for (const key of accepted) {
      if (await verifies(provider, { text, hash: settings.signature.hash, key }, { signature, isCurrent: key === accepted[0] })) return key;
    }
  }
  return undefined;
}

async function verifies(
  provider: SigningProvider,
  material: SigningMaterial,
  { signature, isCurrent }: { signature: Uint8Array; isCurrent: boolean },
): Promise<boolean> {
  try {
    return await provider.verify(material, signature);
  } catch (error) {
    if (!(error instanceof UnusableKey)) throw error;
    // After a change of the algorithm the key before is of another type: it accepts nothing, and that is all.
    if (!isCurrent) return false;
    throw unreadable('key', 'The stored key cannot be used with the algorithm');
  }
}

/** What may have been signed as the payload. The second is made only when the first has failed. */
function* payloadsOf(body: Uint8Array, { uses, form }: PreparedSigning): Generator<Uint8Array> {
  yield body;
  if (body.length === 0 || !uses.has('payload')) return;
  try {
    const again = new TextEncoder().encode(printJson(readJson(body), form));
    if (!equal(again, body)) yield again;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
}

const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Noted only now that the signature is known to be the partner's: a stranger cannot burn its nonces (T22). */
async function requireNew({ partner }: SignatureRule, nonce: string | undefined, tools: SignatureTools, now: number): Promise<void> {
  if (nonce === undefined) return;
  const until = now + 2 * tools.windowS * 1000;
  const isNew = await tools.nonces.use({ partner: `${partner.kind}:${partner.id}`, nonce }, now, until);
  if (!isNew) throw refused('nonce-used', 'The nonce was used before');
}
