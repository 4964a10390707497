import { joinedBytes } from '../shared/joined-bytes';
import type { JsonForm } from '../shared/json';
import type { SignatureSettings, TimestampPrecision } from './signature-settings';
import { compileTemplate, placeholdersOf, type Placeholder, type TemplatePart } from './signing-template';

/** What one request fills the placeholders with; what its template does not use may be absent. */
export interface SignedValues extends Partial<Record<Exclude<Placeholder, 'payload'>, string | undefined>> {
  readonly payload: Uint8Array;
}

/** Signature settings made ready: what follows from them alone, for checking as for signing. */
export interface PreparedSigning {
  readonly parts: readonly TemplatePart[];
  readonly uses: ReadonlySet<Placeholder>;
  readonly form: JsonForm;
  /** A nonce that is distinct from the text around it. */
  readonly nonceForm: RegExp;
  readonly unitsPerSecond: bigint;
  /** The text around the signature in its header. */
  readonly before: string;
  readonly after: string;
}

/** Settings belong to frozen records and stay the same object while unchanged. */
const prepared = new WeakMap<SignatureSettings, PreparedSigning>();

const unitsPerSecond: Readonly<Record<TimestampPrecision, bigint>> = {
  seconds: 1n,
  milliseconds: 1_000n,
  microseconds: 1_000_000n,
  nanoseconds: 1_000_000_000n,
};

/** Prepares settings, once. Throws TemplateRefused for a template that could not be stored today. */
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
 * A nonce has 16 to 64 characters of base64, base64url, hex or a UUID. Where the text beside it could be part of one, it has
 * exactly the length that is set: else the two could be told apart in more than one way (contract/signatures#signed-text).
 */
function nonceForm(parts: readonly TemplatePart[], length: number): RegExp {
  const beside = parts.some((part, i) => {
    const neighbours = [parts[i - 1], parts[i + 1]];
    return 'placeholder' in part && part.placeholder === 'nonce' && neighbours.some((other) => other !== undefined && mayBeNonce(other));
  });
  return new RegExp(`^${nonceCharacter.source}{${beside && length > 0 ? String(length) : '16,64'}}$`);
}

const mayBeNonce = (part: TemplatePart): boolean => 'placeholder' in part || nonceCharacter.test(part.text);

/** Fills a template: the values are joined to its text once, and nothing in them is ever looked at again. */
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

/** The clock (milliseconds since the epoch) as a partner writes it. */
export const timestampText = (now: number, { unitsPerSecond: units }: Pick<PreparedSigning, 'unitsPerSecond'>): string =>
  String((BigInt(now) * units) / 1000n);

/** A timestamp of at most 19 digits without leading zeros, in milliseconds since the epoch; `undefined`: it is none. */
export function readTimestamp(text: string, { unitsPerSecond: units }: Pick<PreparedSigning, 'unitsPerSecond'>): number | undefined {
  if (!/^[1-9][0-9]{0,18}$/.test(text)) return undefined;
  // Exact: less than 2^53.
  if (units === 1n && text.length <= 12) return Number(text) * 1000;
  return Number((BigInt(text) * 1000n) / units);
}

/** The precision in which a timestamp is near the clock, within `windowS` seconds; `undefined`: none. */
export function fittingPrecision(text: string, now: number, windowS: number): TimestampPrecision | undefined {
  const precisions = Object.keys(unitsPerSecond) as TimestampPrecision[];
  return precisions.find((precision) => {
    const at = readTimestamp(text, { unitsPerSecond: unitsPerSecond[precision] });
    return at !== undefined && Math.abs(at - now) <= windowS * 1000;
  });
}

/**
 * RFC 3986, appendix A: the characters of a URI. Neither a quote, a brace nor a blank is among them, so that no JSON object
 * begins inside of a URL.
 */
const uriText = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/** `{url}` of an inbound request: the public address and the target as sent; `undefined`: the target is no path of a URI. */
export function inboundUrl(target: string, urlForm: SignatureSettings['urlForm'], publicBaseUrl: string): string | undefined {
  if (!target.startsWith('/') || !uriText.test(target)) return undefined;
  return urlForm === 'path' ? target : publicBaseUrl + target;
}

/** `{url}` of a call to a partner: the URL as configured, or the path and query that its request line will hold. */
export function outboundUrl(url: string, urlForm: SignatureSettings['urlForm']): string {
  if (urlForm === 'full') return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
