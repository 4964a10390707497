import type { SignatureText } from '../ports';
import type { SignatureEncoding, SignatureSettings } from '../signing/signature-settings';
import type { PreparedSigning } from '../signing/signing-string';
import type { Deviation } from './cause';
import { hexOf } from './filling';

/** A possible decoding of a signature header. */
export interface SignatureBytes extends Deviation {
  readonly bytes: Uint8Array;
}

/** The text of a header that may hold a signature; with `codes` when it is not the agreed header. */
export interface SignatureHeader extends Deviation {
  readonly text: string;
}

interface Agreed {
  readonly settings: SignatureSettings;
  readonly ready: PreparedSigning;
  readonly signatureText: SignatureText;
}

/** Every decoding of the headers as a signature, the agreed one first. Equal bytes are returned once, with their likeliest decoding. */
export function signatureBytes(headers: readonly SignatureHeader[], agreed: Agreed): readonly SignatureBytes[] {
  const found = new Map<string, SignatureBytes>();
  for (const header of headers) {
    for (const inner of innerTexts(header.text, agreed)) {
      for (const read of decoded(inner.text, agreed)) {
        const key = hexOf(read.bytes);
        const one = merged([header, inner, read], read.bytes);
        if ((found.get(key)?.cost ?? Infinity) > one.cost) found.set(key, one);
      }
    }
  }
  return [...found.values()].sort((a, b) => a.cost - b.cost);
}

const merged = (deviations: readonly Deviation[], bytes: Uint8Array): SignatureBytes => ({
  bytes,
  codes: [...new Set(deviations.flatMap(({ codes }) => codes))],
  sentence: deviations.flatMap(({ sentence }) => (sentence === '' ? [] : [sentence])).join('; '),
  cost: deviations.reduce((sum, { cost }) => sum + cost, 0),
});

const nothingWrong: Deviation = { codes: [], sentence: '', cost: 0 };

/** The text without what surrounds the signature. */
function innerTexts(text: string, { settings, ready: { before, after } }: Agreed): (Deviation & { text: string })[] {
  const fits = text.length > before.length + after.length && text.startsWith(before) && text.endsWith(after);
  const agreedInner = fits ? text.slice(before.length, text.length - after.length) : undefined;
  const wrong: Deviation = {
    codes: ['signature-template'],
    sentence: `${settings.headerNames.signature} must hold ${settings.signatureTemplate}, with exactly this text around the signature`,
    cost: 1,
  };
  const others = new Set([text, text.trim(), withoutEnds(text, before, after), ...unwrapped(text)]);
  if (agreedInner !== undefined) for (const other of unwrapped(agreedInner)) others.add(other);
  if (agreedInner !== undefined) others.delete(agreedInner);
  return [
    ...(agreedInner === undefined ? [] : [{ ...nothingWrong, text: agreedInner }]),
    ...[...others].map((other) => ({ ...wrong, text: other })),
  ];
}

const withoutEnds = (text: string, before: string, after: string): string => {
  const start = text.startsWith(before) ? text.slice(before.length) : text;
  return after !== '' && start.endsWith(after) ? start.slice(0, -after.length) : start;
};

/** Extracts signatures from forms such as `sha256=…`, `v1,…`, `HMAC id:…`, `t=…,v1=…`, `keyId="…",signature="…"` and quotes. */
function unwrapped(text: string): string[] {
  const pieces = text.split(/[\s,;:"'<>()[\]{}]+/);
  const values = pieces.map((piece) => piece.replace(/^[A-Za-z][\w.-]*=(?=.)/, ''));
  return [...pieces, ...values, text.replace(/^[A-Za-z][\w-]*=/, '')].filter((piece) => piece.length >= 20 && piece !== text);
}

const encodings: readonly SignatureEncoding[] = ['base64', 'base64url', 'hex'];

/** Decodes a text in the agreed encoding, and in others. */
function decoded(text: string, { settings: { encoding }, signatureText }: Agreed): SignatureBytes[] {
  const right = signatureText.decode(text, encoding);
  const found: SignatureBytes[] = right ? [{ ...nothingWrong, bytes: right }] : [];
  const note = (bytes: Uint8Array | undefined, cost: number, phrase: string): void => {
    if (!bytes || bytes.length < 16) return;
    found.push({ bytes, codes: ['encoding'], cost, sentence: `the signature is encoded as ${phrase}; ${encoding} is agreed` });
  };
  for (const other of encodings) if (other !== encoding) note(signatureText.decode(text, other), 1, other);
  note(signatureText.decode(text.toLowerCase(), 'hex'), 1.5, 'hex in mixed case');
  note(hexPairs(text, signatureText), 1.5, 'hex with separators');
  note(loose(text, signatureText), 1.5, looseName(text));
  note(loose(percentDecoded(text), signatureText), 2, 'base64 and percent-encoded on top');
  const inside = asciiOf(right) ?? asciiOf(loose(text, signatureText));
  if (inside !== undefined) {
    note(signatureText.decode(inside.trim().toLowerCase(), 'hex'), 1.5, 'base64 of the hex text');
    note(loose(inside.trim(), signatureText), 2, 'base64 twice');
  }
  const fromHex = asciiOf(signatureText.decode(text.toLowerCase(), 'hex'));
  if (fromHex !== undefined) note(loose(fromHex, signatureText), 2, 'hex of the base64 text');
  return found;
}

const looseName = (text: string): string => (text.includes('=') ? 'base64 with wrong padding or letters' : 'base64 without its padding');

/** Decodes base64 of either alphabet, with any padding and blanks. */
function loose(text: string, signatureText: SignatureText): Uint8Array | undefined {
  const digits = text.replace(/[\s=]/g, '').replaceAll('-', '+').replaceAll('_', '/');
  return signatureText.decode(digits.padEnd(Math.ceil(digits.length / 4) * 4, '='), 'base64');
}

const hexPairs = (text: string, signatureText: SignatureText): Uint8Array | undefined =>
  /^(?:0x)?[0-9A-Fa-f]{2}(?:[:\s-]?[0-9A-Fa-f]{2})+$/.test(text)
    ? signatureText.decode(text.replace(/^0x|[:\s-]/g, '').toLowerCase(), 'hex')
    : undefined;

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const asciiOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes?.every((byte) => byte >= 0x0a && byte < 0x7f) ? String.fromCharCode(...bytes) : undefined;
