import { refusal } from '../shared/errors';
import { JsonSyntaxError, printJson, readJson } from '../shared/json';
import type { Check, InboundRequest } from './check';
import { acceptedValues, type CredentialValue } from './credential';
import {
  UnusableKey,
  type CredentialUses,
  type NonceLedger,
  type SignatureText,
  type SigningProvider,
  type SigningProviders,
} from './ports';
import { missingSignatureSettings } from './signature-rules';
import { refused, signedHeaders, unreadable, type HeaderRule, type SignedHeaders } from './signed-headers';
import type { SignatureAlgorithm, SignatureSettings } from './signature-settings';
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
export interface SignatureRule extends HeaderRule {
  /**
   * Where the partner itself checks the platform's call: the URL as it is stored, which was signed over the very bytes that are
   * sent. Absent: the URL is made of the public address and the target, and the body is also tried in the partner's form.
   */
  readonly calledAt?: string;
}

/** What follows from a rule alone. */
interface ReadyCheck {
  readonly algorithm: SignatureAlgorithm;
  readonly provider: SigningProvider;
  readonly signing: PreparedSigning;
  readonly headersOf: (request: InboundRequest) => SignedHeaders;
  /** What `{url}` stands for; `undefined`: the target is no path of a URI. */
  readonly urlOf: (target: string) => string | undefined;
}

/**
 * The request is signed as the partner's settings say (decisions §4). In this order: the settings are complete, the headers
 * are there and fit, the timestamp is near the clock, the signature is of an accepted key, the nonce is new. Nothing of a
 * request decides how it is checked (T18).
 */
export function checkSignature(rule: SignatureRule, tools: SignatureTools): (...call: Parameters<Check>) => Promise<void> {
  let ready: ReadyCheck | undefined;
  return async (request, now) => {
    ready ??= readyFor(rule, tools);
    const { algorithm, signing } = ready;
    const sent = ready.headersOf(request);
    requireRecent(sent.timestamp, { signing, now, windowS: tools.windowS });
    const signature = decoded(sent.signature, { settings: rule.partner.settings.signature, signing, tools });
    const url = ready.urlOf(request.target);
    if (url === undefined) throw refused('url', 'The request target is not a path of a URI, so it cannot be signed');

    const value = await signerOf({ rule, ready, request, url, sent, signature, now });
    if (!value) throw refused('signature', 'The signature does not fit the request and the stored key');
    if (sent.nonce !== undefined) await requireNew(rule, sent.nonce, tools, now);
    const { kind: partner, id } = rule.partner;
    tools.uses.used({ partner, id, kind: credentialKindOf(algorithm), value, address: request.remoteAddress });
  };
}

function readyFor(rule: SignatureRule, tools: SignatureTools): ReadyCheck {
  const { calledAt, partner } = rule;
  const { signature: settings } = partner.settings;
  const algorithm = requireComplete(rule);
  const signing = prepareSigning(settings);
  const fixedUrl = calledAt === undefined ? undefined : outboundUrl(calledAt, settings.urlForm);
  return {
    algorithm,
    provider: tools.providers[algorithm],
    signing,
    headersOf: signedHeaders(rule, signing),
    urlOf: (target) => fixedUrl ?? inboundUrl(target, settings.urlForm, tools.publicBaseUrl),
  };
}

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

interface TimeRule {
  readonly signing: PreparedSigning;
  readonly now: number;
  readonly windowS: number;
}

/** A timestamp that is not part of the signed text is worth nothing, and judged all the same where it is sent. */
function requireRecent(timestamp: string | undefined, { signing, now, windowS }: TimeRule): void {
  if (timestamp === undefined) return;
  const at = readTimestamp(timestamp, signing);
  if (at === undefined) throw unreadable('timestamp', 'The timestamp is not a plain number');
  const aheadS = Math.round((at - now) / 1000);
  if (Math.abs(at - now) <= windowS * 1000) return;
  const where = aheadS > 0 ? 'ahead of' : 'behind';
  throw refused('timestamp', `The timestamp is ${String(Math.abs(aheadS))} s ${where} the clock; ${String(windowS)} s are allowed`);
}

interface Decoding {
  readonly settings: SignatureSettings;
  readonly signing: PreparedSigning;
  readonly tools: SignatureTools;
}

function decoded(header: string, { settings, signing: { before, after }, tools }: Decoding): Uint8Array {
  const fits = header.length >= before.length + after.length && header.startsWith(before) && header.endsWith(after);
  if (!fits) throw unreadable('signature_template', 'The signature header does not have the agreed text around the signature');
  const text = header.slice(before.length, header.length - after.length);
  const bytes = tools.signatureText.decode(text, settings.encoding);
  if (!bytes || bytes.length === 0) throw unreadable('encoding', `The signature is not ${settings.encoding}`);
  return bytes;
}

interface Verification {
  readonly rule: SignatureRule;
  readonly ready: ReadyCheck;
  readonly request: InboundRequest;
  readonly url: string;
  readonly sent: SignedHeaders;
  readonly signature: Uint8Array;
  readonly now: number;
}

/** The accepted credential whose signature it is: over the raw bytes first, then over the body in the partner's form. */
async function signerOf(verification: Verification): Promise<CredentialValue | undefined> {
  const { rule, ready, request, url, sent, signature, now } = verification;
  const { algorithm, provider, signing } = ready;
  const { credentials, settings } = rule.partner;
  const accepted = acceptedValues(credentials[credentialKindOf(algorithm)], now);
  let payload: Uint8Array | undefined = request.body;
  while (payload) {
    const text = signingString(signing.parts, valuesOf(request.method, url, sent, payload));
    for (const key of accepted) {
      try {
        if (await provider.verify({ text, hash: settings.signature.hash, key }, signature)) return key;
      } catch (error) {
        if (!(error instanceof UnusableKey)) throw error;
        // After a change of the algorithm the key before is of another type: it accepts nothing, and that is all.
        if (key === accepted[0]) throw unreadable('key', 'The stored key cannot be used with the algorithm');
      }
    }
    payload = payload === request.body && rule.calledAt === undefined ? inPartnersForm(payload, signing) : undefined;
  }
  return undefined;
}

const valuesOf = (method: string, url: string, sent: SignedHeaders, payload: Uint8Array): SignedValues => ({
  request_method: method.toUpperCase(),
  url,
  client_id: sent.client_id,
  timestamp: sent.timestamp,
  nonce: sent.nonce,
  identity: sent.identity,
  merchant_id: sent.merchant_id,
  payload,
});

/** What may have been signed in the place of the very bytes; `undefined`: nothing else. */
function inPartnersForm(body: Uint8Array, { uses, form }: PreparedSigning): Uint8Array | undefined {
  if (body.length === 0 || !uses.has('payload')) return undefined;
  try {
    const again = new TextEncoder().encode(printJson(readJson(body), form));
    return equal(again, body) ? undefined : again;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return undefined;
  }
}

const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Noted only now that the signature is known to be the partner's: a stranger cannot burn its nonces (T22). */
async function requireNew({ partner }: SignatureRule, nonce: string, tools: SignatureTools, now: number): Promise<void> {
  const until = now + 2 * tools.windowS * 1000;
  const isNew = await tools.nonces.use({ partner: `${partner.kind}:${partner.id}`, nonce }, now, until);
  if (!isNew) throw refused('nonce-used', 'The nonce was used before');
}
