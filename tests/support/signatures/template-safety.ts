import { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import {
  defaultSignatureSettings,
  type SignatureSettings,
  type TimestampPrecision,
} from '../../../src/domain/credentials/signing/signature-settings';
import {
  inboundUrl,
  prepareSigning,
  readTimestamp,
  signingString,
  type PreparedSigning,
} from '../../../src/domain/credentials/signing/signing-string';
import { placeholders, templateWeaknesses, type Placeholder } from '../../../src/domain/credentials/signing/signing-template';

/** Repeatable chance. */
export type RandomGenerator = () => number;
export function chanceOf(seed: number): RandomGenerator {
  let state = seed >>> 0;
  // Mulberry32.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
const below = (chance: RandomGenerator, end: number): number => Math.floor(chance() * end);
const oneOf = <T>(chance: RandomGenerator, list: readonly T[]): T => list[below(chance, list.length)]!;
const several = <T>(chance: RandomGenerator, max: number, make: () => T): T[] => Array.from({ length: below(chance, max + 1) }, make);

/** What a request fills a template with, as text. */
export type Values = Readonly<Record<Placeholder, string>>;

/** Bodies of a route: an object or, where the ids stand in the query, none; or an object or a list of them (analytics). */
export type Bodies = 'object-or-none' | 'object-or-list';

/** One partner's settings, and what of them is fixed in every request. */
export interface Signer {
  readonly settings: SignatureSettings;
  readonly ready: PreparedSigning;
  readonly fixed: Readonly<Pick<Values, 'client_id' | 'identity' | 'merchant_id'>>;
  readonly bodies: Bodies;
}

/** What the inbound check admits for a placeholder. A test of the search itself may loosen it. */
export type Admits = (signer: Signer, name: Placeholder, text: string) => boolean;

const now = 1_700_000_000_000;
const windowMs = 300_000;
const base = 'https://platform.example';
const methods = ['POST', 'DELETE', 'GET'];

export const admits: Admits = ({ settings, ready, fixed, bodies }, name, text) => {
  switch (name) {
    case 'request_method':
      return methods.includes(text);
    case 'url': {
      const start = settings.urlForm === 'path' ? '' : base;
      return text.startsWith(start) && inboundUrl(text.slice(start.length), settings.urlForm, base) === text;
    }
    case 'timestamp': {
      const at = readTimestamp(text, ready);
      return at !== undefined && Math.abs(at - now) <= windowMs;
    }
    case 'nonce':
      return ready.nonceForm.test(text);
    case 'payload':
      return isBody(text, bodies);
    default:
      return text === fixed[name];
  }
};

function isBody(text: string, bodies: Bodies): boolean {
  if (text === '') return bodies === 'object-or-none';
  try {
    const json = readJsonText(text);
    return json instanceof JsonObject || (bodies === 'object-or-list' && Array.isArray(json));
  } catch {
    return false;
  }
}

const separators =
  `. , : ; - _ ~ / ? & = + % ! * ' ( ) [ ] @ # $ | ^ \` < > \\ " "" ":" "," [] [1] ], é 😀 0 1 17 x A POST GET . .. .1. /? https://`.split(
    ' ',
  );
const blanks = [' ', '\n', '\t', '\r\n', '  ', '. ', ' .', '\n\n'];
const literal = (chance: RandomGenerator): string => {
  const text = several(chance, 2, () => oneOf(chance, [...separators, ...blanks])).join('');
  return text === '' ? '.' : text;
};

/** A signer whose template would be stored without acknowledgement. */
export function aSafeSigner(chance: RandomGenerator): Signer {
  for (;;) {
    const signer = aSigner(chance);
    if (templateWeaknesses(signer.ready.parts).length === 0) return signer;
  }
}

function aSigner(chance: RandomGenerator): Signer {
  const wanted: Placeholder[] = ['request_method', 'url', 'timestamp', 'payload', ...several(chance, 4, () => oneOf(chance, placeholders))];
  const shuffled = wanted.map((name) => ({ name, at: chance() })).sort((a, b) => a.at - b.at);
  let template = chance() < 0.3 ? literal(chance) : '';
  for (const { name } of shuffled) template += `{${name}}${literal(chance)}`;
  if (chance() < 0.7) template = template.slice(0, template.lastIndexOf('}') + 1);
  return signerWith(template, chance);
}

/** A signer with this template, everything else by chance. */
export function signerWith(payloadTemplate: string, chance: RandomGenerator): Signer {
  const settings: SignatureSettings = {
    ...defaultSignatureSettings,
    payloadTemplate,
    urlForm: oneOf(chance, ['full', 'path']),
    timestampPrecision: oneOf<TimestampPrecision>(chance, ['seconds', 'milliseconds', 'microseconds', 'nanoseconds']),
    nonceLength: 16 + below(chance, 49),
  };
  const constant = (): string => oneOf(chance, ['cid_1', 'a.b', '{}', '{"a":1}', '[]', '/a', 'POST', '1700000000', '"', 'x y', '}', '{']);
  const fixed = { client_id: constant(), identity: constant(), merchant_id: constant() };
  return { settings, ready: prepareSigning(settings), fixed, bodies: oneOf<Bodies>(chance, ['object-or-none', 'object-or-list']) };
}

/** The text that is signed. */
export const textOf = ({ ready }: Signer, values: Values): string =>
  new TextDecoder().decode(signingString(ready.parts, { ...values, payload: new TextEncoder().encode(values.payload) }));

const nonceLetters = 'ABCxyz0189+/=_~-';
const uriLetters = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/g;

/**
 * A request that wants to be misread: its URL and its body hold pieces of the signed text of another request, so that every
 * border of the template stands in them, too.
 */
export function anInput(signer: Signer, chance: RandomGenerator, depth = 1): Values {
  const { settings, ready, fixed, bodies } = signer;
  const other = depth > 0 ? textOf(signer, anInput(signer, chance, depth - 1)) : '.1700000000.{}';
  const slice = (text: string): string => text.slice(below(chance, text.length), below(chance, text.length) + below(chance, 160));
  const literals = ready.parts.flatMap((part) => ('text' in part ? [part.text] : []));
  const piece = (): string =>
    oneOf(chance, [slice(other), other, ...literals, fixed.identity, 'a', '?a=', '&', '{', '}', '"', ' ', '[', ']']);
  const ms = BigInt(now - windowMs + below(chance, 2 * windowMs));
  const timestamp = String((ms * ready.unitsPerSecond) / 1000n);
  const query = several(chance, 4, piece).join('').replace(uriLetters, '');
  const nonceText = Array.from({ length: settings.nonceLength }, () => oneOf(chance, [...nonceLetters])).join('');
  return {
    ...fixed,
    request_method: oneOf(chance, methods),
    url: `${settings.urlForm === 'path' ? '' : base}/${oneOf(chance, ['', 'api/v1/connect/', 'a?b='])}${query}`,
    timestamp,
    nonce: nonceText,
    payload: aBody(chance, bodies, piece),
  };
}

function aBody(chance: RandomGenerator, bodies: Bodies, piece: () => string): string {
  if (bodies === 'object-or-none' && chance() < 0.25) return '';
  const blank = (): string => oneOf(chance, ['', '', ' ', '\n', '\t', '\r\n  ']);
  const members = several(chance, 3, () => several(chance, 3, piece).join('')).map((sliced, i) => {
    // A slice may cut a character in two; no body with half of one is admitted.
    const text = sliced.toWellFormed();
    // As other languages print it: characters outside ASCII as they are or escaped.
    const printed = chance() < 0.7 ? JSON.stringify(text) : JSON.stringify(text).replaceAll('/', '\\/');
    return `${blank()}"m${String(i)}"${blank()}:${blank()}${printed}`;
  });
  const object = `${blank()}{${members.join(',')}}${blank()}`;
  if (bodies === 'object-or-none' || chance() < 0.5) return object;
  return `${blank()}[${several(chance, 2, () => object)
    .concat(object)
    .join(',')}]${blank()}`;
}

export interface Readings {
  /** Every admitted input that gives the text. */
  readonly inputs: readonly Partial<Values>[];
  /** Borders that were tried: places where a value could end and the template go on, each another input that would give the text. */
  readonly divisions: number;
}

/** Reads a signed text back in every way that the template and the inbound check allow: two readings are two requests under one signature. */
export function readingsOf(signer: Signer, text: string, allowed: Admits = admits): Readings {
  const { parts } = signer.ready;
  const inputs: Partial<Values>[] = [];
  let divisions = 0;

  const walk = (part: number, at: number, known: Partial<Record<Placeholder, string>>): void => {
    const next = parts[part];
    if (next === undefined) {
      if (at === text.length) inputs.push(known);
      return;
    }
    if ('text' in next) {
      if (text.startsWith(next.text, at)) walk(part + 1, at + next.text.length, known);
      return;
    }
    const before = known[next.placeholder];
    if (before !== undefined) {
      if (text.startsWith(before, at)) walk(part + 1, at + before.length, known);
      return;
    }
    const following = parts[part + 1];
    for (let end = at; end <= text.length; end++) {
      // Nothing can follow where the next literal is not: that is no pair worth counting.
      if (following && 'text' in following && !text.startsWith(following.text, end)) continue;
      if (!following && end !== text.length) continue;
      divisions++;
      const value = text.slice(at, end);
      if (allowed(signer, next.placeholder, value)) walk(part + 1, end, { ...known, [next.placeholder]: value });
    }
  };
  walk(0, 0, {});
  return { inputs, divisions };
}

export interface SafetyReport {
  readonly templates: number;
  readonly strings: number;
  readonly divisions: number;
  /** Pairs of strings of one template that were compared. */
  readonly pairs: number;
  /** Each with the template and the readings of one string. */
  readonly ambiguous: readonly string[];
}

/** Strings of `templates` safe templates, read back in every way and compared with each other, until `pairs` divisions were tried. */
export function searchForAmbiguity({ seed, templates, pairs }: { seed: number; templates: number; pairs: number }): SafetyReport {
  const chance = chanceOf(seed);
  const signers = Array.from({ length: templates }, () => ({ signer: aSafeSigner(chance), seen: new Map<string, string>() }));
  const ambiguous: string[] = [];
  let [strings, divisions] = [0, 0];
  while (divisions < pairs) {
    for (const { signer, seen } of signers) {
      const input = anInput(signer, chance, 1 + below(chance, 2));
      const text = textOf(signer, input);
      const used = JSON.stringify([...signer.ready.uses].map((name) => input[name]));
      const readings = readingsOf(signer, text);
      strings++;
      divisions += readings.divisions;
      if (readings.inputs.length !== 1 || (seen.get(text) ?? used) !== used) {
        ambiguous.push(JSON.stringify({ template: signer.settings.payloadTemplate, text, readings: readings.inputs }));
      }
      seen.set(text, used);
    }
  }
  const compared = signers.reduce((sum, { seen }) => sum + (seen.size * (seen.size - 1)) / 2, 0);
  return { templates, strings, divisions, pairs: compared, ambiguous };
}
