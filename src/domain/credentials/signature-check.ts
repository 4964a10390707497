import { refusal } from '../shared/errors';
import type { Check, InboundRequest } from './check';
import { acceptedValues, type CredentialValue } from './credential';
import {
  UnusableKey,
  type CredentialUses,
  type NonceLedger,
  type SignatureText,
  type SigningProvider,
  type SigningProviders,
  type UsedNonce,
} from './ports';
import { missingSignatureSettings } from './signature-rules';
import type { FailureBudget } from './signature-failures';
import { otherPayloads } from './signed-payloads';
import { refused, signedHeaders, unreadable, type HeaderRule, type SignedHeaders } from './signed-headers';
import type { SignatureAlgorithm, SignatureSettings, TimestampPrecision } from './signature-settings';
import {
  fittingPrecision,
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
  /** Absent: wrong signatures are not counted. */
  readonly failures?: FailureBudget;
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
 * The request is signed as the partner's settings say (contract/signatures#verification). In this order: the settings are complete, the headers
 * are there and fit, the timestamp is near the clock, the signature is of an accepted key, the nonce is new. Nothing of a
 * request decides how it is checked.
 */
export function checkSignature(rule: SignatureRule, tools: SignatureTools): (...call: Parameters<Check>) => Promise<void> {
  let ready: ReadyCheck | undefined;
  return async (request, now) => {
    ready ??= readyFor(rule, tools);
    const { algorithm, signing } = ready;
    const sent = ready.headersOf(request);
    const { signature: settings } = rule.partner.settings;
    requireRecent(sent.timestamp, { signing, precision: settings.timestampPrecision, now, windowS: tools.windowS });
    const signature = decoded(sent.signature, { settings, signing, tools });
    const url = ready.urlOf(request.target);
    if (url === undefined) throw refused('url', 'The request target is not a path of a URI, so it cannot be signed');

    const { failures } = tools;
    const { partner } = rule;
    const isSpent = failures?.isSpent(partner, request.remoteAddress, now) === true;
    const rawOnly = rule.calledAt !== undefined || isSpent;
    const value = await signerOf({ rule, ready, request, url, sent, signature, now, rawOnly });
    if (!value) {
      await failures?.failed(partner, request.remoteAddress, now);
      throw refused('signature', isSpent ? `${misfit}; ${onlyRaw}` : misfit);
    }
    if (sent.nonce !== undefined) await requireNew(rule, { nonce: sent.nonce, key: value.publicKey && value.fingerprint }, tools, now);
    tools.uses.used({ partner: partner.kind, id: partner.id, kind: credentialKindOf(algorithm), value, address: request.remoteAddress });
  };
}

const misfit = 'The signature does not fit the request and the stored key';
const onlyRaw = 'after many wrong signatures in a minute only the very bytes of the body are tried';

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
  readonly precision: TimestampPrecision;
  readonly now: number;
  readonly windowS: number;
}

/** A timestamp that is not part of the signed text is worth nothing, and judged all the same where it is sent. */
function requireRecent(timestamp: string | undefined, { signing, precision, now, windowS }: TimeRule): void {
  if (timestamp === undefined) return;
  const at = readTimestamp(timestamp, signing);
  if (at === undefined) throw unreadable('timestamp', 'The timestamp is not a plain number');
  if (Math.abs(at - now) <= windowS * 1000) return;
  const sent = fittingPrecision(timestamp, now, windowS);
  if (sent) throw refused('timestamp-precision', `The timestamp is in ${sent} where ${precision} are set`);
  const aheadS = Math.round((at - now) / 1000);
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
  /** The body is not tried in any other form. */
  readonly rawOnly: boolean;
}

/** The accepted credential whose signature it is: over the raw bytes first, then over the body printed in other ways. */
async function signerOf(verification: Verification): Promise<CredentialValue | undefined> {
  const { request, ready, rawOnly } = verification;
  const found = await signerOver(request.body, verification);
  if (found || rawOnly) return found;
  for (const payload of otherPayloads(request.body, ready.signing)) {
    const value = await signerOver(payload, verification);
    if (value) return value;
  }
  return undefined;
}

/** The accepted credential whose signature over this payload it is. */
async function signerOver(
  payload: Uint8Array,
  { rule, ready, request, url, sent, signature, now }: Verification,
): Promise<CredentialValue | undefined> {
  const { algorithm, provider, signing } = ready;
  const { credentials, settings } = rule.partner;
  const accepted = acceptedValues(credentials[credentialKindOf(algorithm)], now);
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

/** Noted only now that the signature is known to be the partner's: a stranger cannot burn its nonces (contract/signatures#verification). */
async function requireNew({ partner }: SignatureRule, used: Omit<UsedNonce, 'partner'>, tools: SignatureTools, now: number): Promise<void> {
  const until = now + 2 * tools.windowS * 1000;
  const isNew = await tools.nonces.use({ partner: `${partner.kind}:${partner.id}`, ...used }, now, until);
  if (!isNew) throw refused('nonce-used', 'The nonce was used before');
}
