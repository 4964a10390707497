import { joinedBytes } from '../../shared/joined-bytes';
import type { JsonForm } from '../../shared/print-json';
import type { SignatureSettings, TimestampPrecision } from './signature-settings';
import { compileTemplate, placeholdersOf, type Placeholder, type TemplatePart } from './signing-template';

/** A request's values for the placeholders; those that the template does not use may be absent. */
export interface SignedValues extends Partial<Record<Exclude<Placeholder, 'payload'>, string | undefined>> {
  readonly payload: Uint8Array;
}

/** Values derived from signature settings, for checking and for signing. */
export interface PreparedSigning {
  readonly parts: readonly TemplatePart[];
  readonly uses: ReadonlySet<Placeholder>;
  readonly form: JsonForm;
  /** Matches a nonce that cannot be confused with the text around it in the template. */
  readonly nonceForm: RegExp;
  readonly unitsPerSecond: bigint;
  /** The text around the signature in its header. */
  readonly before: string;
  readonly after: string;
}

/** Cached by identity: settings belong to frozen records and stay the same object while unchanged. */
const prepared = new WeakMap<SignatureSettings, PreparedSigning>();

const unitsPerSecond: Readonly<Record<TimestampPrecision, bigint>> = {
  seconds: 1n,
  milliseconds: 1_000n,
  microseconds: 1_000_000n,
  nanoseconds: 1_000_000_000n,
};

/** Prepares settings, cached. Throws TemplateRefused for a template that could not be stored today. */
export function prepareSigning(settings: SignatureSettings): PreparedSigning {
  const known = prepared.get(settings);
  if (known) return known;
  const parts = compileTemplate(settings.payloadTemplate);
  const [before = '', after = ''] = settings.signatureTemplate.split('{signature}');
  const ready: PreparedSigning = {
    parts,
    uses: new Set(placeholdersOf(parts)),
    form: { spaces: settings.payloadSpaces, sortKeys: settings.payloadSortKeys, ascii: settings.payloadAscii },
    nonceForm: nonceForm(parts, settings.nonceLength),
    unitsPerSecond: unitsPerSecond[settings.timestampPrecision],
    before,
    after,
  };
  prepared.set(settings, ready);
  return ready;
}

const nonceCharacter = /[A-Za-z0-9+/=_~-]/;

/**
 * A nonce has 16 to 64 characters of base64, base64url, hex or a UUID. If the text beside it could be part of a nonce, it must have
 * exactly the configured length; otherwise the signed text could be split in more than one way (contract/signatures#signed-text).
 */
function nonceForm(parts: readonly TemplatePart[], length: number): RegExp {
  const beside = parts.some((part, i) => {
    const neighbours = [parts[i - 1], parts[i + 1]];
    return 'placeholder' in part && part.placeholder === 'nonce' && neighbours.some((other) => other !== undefined && mayBeNonce(other));
  });
  return new RegExp(`^${nonceCharacter.source}{${beside && length > 0 ? String(length) : '16,64'}}$`);
}

const mayBeNonce = (part: TemplatePart): boolean => 'placeholder' in part || nonceCharacter.test(part.text);

/** Fills a template. Values are inserted once, and placeholders inside them are never replaced. */
export function signingString(parts: readonly TemplatePart[], values: SignedValues): Uint8Array {
  const pieces: (string | Uint8Array)[] = [];
  let text = '';
  for (const part of parts) {
    if ('text' in part) text += part.text;
    else if (part.placeholder !== 'payload') text += values[part.placeholder] ?? '';
    else {
      pieces.push(text, values.payload);
      text = '';
    }
  }
  if (text !== '') pieces.push(text);
  return joinedBytes(pieces);
}

/** The time (milliseconds since the epoch) in the partner's precision. */
export const timestampText = (now: number, { unitsPerSecond: units }: Pick<PreparedSigning, 'unitsPerSecond'>): string =>
  String((BigInt(now) * units) / 1000n);

/** Converts a timestamp of at most 19 digits without leading zeros to milliseconds since the epoch; `undefined` when it is invalid. */
export function readTimestamp(text: string, { unitsPerSecond: units }: Pick<PreparedSigning, 'unitsPerSecond'>): number | undefined {
  if (!/^[1-9][0-9]{0,18}$/.test(text)) return undefined;
  // Exact in floating point: the result is below 2^53.
  if (units === 1n && text.length <= 12) return Number(text) * 1000;
  return Number((BigInt(text) * 1000n) / units);
}

/** The precision in which the timestamp is within `windowS` seconds of the clock; `undefined` when there is none. */
export function fittingPrecision(text: string, now: number, windowS: number): TimestampPrecision | undefined {
  const precisions = Object.keys(unitsPerSecond) as TimestampPrecision[];
  return precisions.find((precision) => {
    const at = readTimestamp(text, { unitsPerSecond: unitsPerSecond[precision] });
    return at !== undefined && Math.abs(at - now) <= windowS * 1000;
  });
}

/**
 * Characters of a URI (RFC 3986, appendix A). Quotes, braces and blanks are not among them, so that no JSON object can begin inside a URL.
 */
const uriText = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/** `{url}` of an inbound request: the public address and the target as sent; `undefined` when the target is no path of a URI. */
export function inboundUrl(target: string, urlForm: SignatureSettings['urlForm'], publicBaseUrl: string): string | undefined {
  if (!target.startsWith('/') || !uriText.test(target)) return undefined;
  return urlForm === 'path' ? target : publicBaseUrl + target;
}

/** `{url}` of a call to a partner: the URL as configured, or its path and query as in the request line. */
export function outboundUrl(url: string, urlForm: SignatureSettings['urlForm']): string {
  if (urlForm === 'full') return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
