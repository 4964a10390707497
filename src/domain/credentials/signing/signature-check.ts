import { refusal } from '../../shared/errors';
import type { Check, InboundRequest } from '../check';
import { acceptedValues, requireComparable, type CredentialValue } from '../credential';
import {
  UnusableKey,
  type CredentialUseLog,
  type NonceRepository,
  type SignatureText,
  type SigningProvider,
  type SigningProviders,
  type UsedNonce,
} from '../ports';
import { shortBody } from '../../shared/read-json';
import { missingSignatureSettings } from './signature-rules';
import type { FailureBudget } from './signature-failures';
import { otherPayloads, readPayload } from './signed-payloads';
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

/** The dependencies of a signature check. */
export interface SignatureTools {
  readonly providers: SigningProviders;
  readonly signatureText: SignatureText;
  readonly nonces: NonceRepository;
  readonly uses: CredentialUseLog;
  /** Absent: wrong signatures are not counted. */
  readonly failures?: FailureBudget;
  /**
   * Begins the check of a long body; the function returned lets other work run between the texts that are tried. Absent: all are tried in
   * one turn.
   */
  readonly longWork?: (bytes: number) => () => Promise<void>;
  /** The prefix of `{url}`, without a final slash. */
  readonly publicBaseUrl: string;
  /** Maximum difference between a timestamp and the clock, in seconds. */
  readonly windowS: number;
}

/** The partner whose signature is checked, and the settings of the check. */
export interface SignatureRule extends HeaderRule {
  /**
   * Set where the partner itself checks a call of the platform: the stored URL, which was signed over the exact bytes that are sent.
   * Absent: the URL is made of the public address and the target, and the body is also tried in the partner's form.
   */
  readonly calledAt?: string;
}

/** The prepared parts of a check that depend on the rule alone. */
interface ReadyCheck {
  readonly algorithm: SignatureAlgorithm;
  readonly provider: SigningProvider;
  readonly signing: PreparedSigning;
  readonly headersOf: (request: InboundRequest) => SignedHeaders;
  /** The value of `{url}`; `undefined` when the target is no path of a URI. */
  readonly urlOf: (target: string) => string | undefined;
}

/**
 * Checks that a request is signed according to the partner's settings (contract/signatures#verification), in this order: complete
 * settings, valid headers, a timestamp near the clock, a signature by an accepted key, a new nonce. Nothing in the request decides how it
 * is checked.
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
    const isSpent = (): boolean => failures?.isSpent(partner, request.remoteAddress, now) === true;
    const pause = request.body.length > shortBody && tools.longWork ? tools.longWork(request.body.length) : atOnce;
    const { value, rawOnly } = await signerOf({ rule, ready, request, url, sent, signature, now, isSpent, pause });
    if (!value) {
      await failures?.failed(partner, request.remoteAddress, now);
      requireComparable(partner.credentials[credentialKindOf(algorithm)], now);
      throw refused('signature', rawOnly ? `${misfit}; ${onlyRaw}` : misfit);
    }
    if (sent.nonce !== undefined) await requireNew(rule, { nonce: sent.nonce, key: value.publicKey && value.fingerprint }, tools, now);
    tools.uses.used({ partner: partner.kind, id: partner.id, kind: credentialKindOf(algorithm), value, address: request.remoteAddress });
  };
}

const atOnce = (): Promise<void> => Promise.resolve();

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

/** Checks a timestamp even if it is not signed, although it proves nothing then. */
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
  /** Whether the limit of wrong signatures is reached, so that only the raw bytes of the body are tried. Other calls can change it. */
  readonly isSpent: () => boolean;
  readonly pause: () => Promise<void>;
}

interface Signer {
  /** Absent: the signature is wrong. */
  readonly value?: CredentialValue | undefined;
  /** Whether other forms of the body were not tried, as the limit of wrong signatures is reached. */
  readonly rawOnly?: boolean;
}

/** Finds the accepted credential that made the signature: tries the raw bytes first, then other forms of the body. */
async function signerOf(verification: Verification): Promise<Signer> {
  const { rule, request, ready, isSpent, pause } = verification;
  const found = await signerOver(request.body, verification);
  if (found || rule.calledAt !== undefined) return { value: found };
  if (isSpent()) return { rawOnly: true };
  await pause();
  const read = await readPayload(request.body, ready.signing, pause);
  if (read === undefined) return {};
  for await (const payload of otherPayloads(read, ready.signing.form, pause)) {
    if (isSpent()) return { rawOnly: true };
    const value = await signerOver(payload, verification);
    if (value) return { value };
    await pause();
  }
  return {};
}

/** Finds the accepted credential that made the signature over this payload. */
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
      // After a change of the algorithm, the previous key is of another type and verifies nothing; only an unusable current key is an
      // error.
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

/**
 * Stores the nonce only after the signature was verified, so that nobody else can use up a partner's nonces
 * (contract/signatures#verification).
 */
async function requireNew({ partner }: SignatureRule, used: Omit<UsedNonce, 'partner'>, tools: SignatureTools, now: number): Promise<void> {
  const until = now + 2 * tools.windowS * 1000;
  const isNew = await tools.nonces.use({ partner: `${partner.kind}:${partner.id}`, ...used }, now, until);
  if (!isNew) throw refused('nonce-used', 'The nonce was used before');
}
