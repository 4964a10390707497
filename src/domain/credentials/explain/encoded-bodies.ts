import { JsonObject, JsonSyntaxError, type Json } from '../../shared/json';
import { readJson } from '../../shared/read-json';
import { printJson, type JsonForm } from '../../shared/print-json';
import type { SignatureHash } from '../signing/signature-settings';
import type { CauseCode } from './cause';
import { base64Of, hexOf } from './filling';
import type { SignatureLab } from './ports';

/** The values that a sender may have derived its payload from. */
export interface PayloadSource {
  readonly body: Uint8Array;
  /** The app's own JSON form. */
  readonly form: JsonForm;
  readonly hash: SignatureHash;
}

/** A possible payload. */
export interface OtherBody {
  readonly payload: Uint8Array;
  readonly codes: readonly CauseCode[];
  readonly cost: number;
  readonly phrases: readonly string[];
}

const encoder = new TextEncoder();

export function jsonIn(text: string): Json | undefined {
  try {
    return readJson(encoder.encode(text));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return undefined;
  }
}

/** Payloads that are not the body's text: its digest, its encodings, a part of it. */
export function encodedBodies({ body, hash }: PayloadSource, text: string | undefined, lab: SignatureLab): OtherBody[] {
  const others: OtherBody[] = [];
  const add = (payload: Uint8Array | string, code: CauseCode, cost: number, phrase: string): void => {
    others.push({ payload: typeof payload === 'string' ? encoder.encode(payload) : payload, codes: [code], cost, phrases: [phrase] });
  };
  for (const used of new Set<SignatureHash>([hash, 'SHA-256', 'MD5', 'SHA-1', 'SHA-512'])) {
    const digest = lab.digest(used, body);
    add(hexOf(digest), 'body-digest', 2, `is the ${used} digest of the body in hex`);
    add(hexOf(digest).toUpperCase(), 'body-digest', 3, `is the ${used} digest of the body in hex`);
    add(base64Of(digest), 'body-digest', 3, `is the ${used} digest of the body in base64`);
    add(digest, 'body-digest', 3, `is the ${used} digest of the body`);
  }
  add(base64Of(body), 'body-encoded', 3, 'is the body in base64');
  add('{}', 'body-empty', 2, 'is {}');
  add('null', 'body-empty', 3, 'is null');
  add('""', 'body-empty', 3, 'is an empty string in quotes');
  if (text === undefined) return others;
  add(encodeURIComponent(text), 'body-encoded', 4, 'is percent-encoded');
  if (!/[^\0-\u00ff]/.test(text))
    add(
      Uint8Array.from(text, (unit) => unit.charCodeAt(0)),
      'body-charset',
      2,
      'is in ISO 8859-1 and not in UTF-8',
    );
  add(escapedTwice(body), 'body-charset', 3, 'was encoded in UTF-8 twice');
  add(text.replace(/[\u0080-\uffff]/g, '?'), 'body-charset', 3, 'has question marks for what is not ASCII');
  const json = jsonIn(text);
  if (json instanceof JsonObject) for (const part of partsOf(json)) add(part.text, 'body-part', 4, `is the member ${part.name} alone`);
  return others;
}

const escapedTwice = (body: Uint8Array): Uint8Array => encoder.encode(String.fromCharCode(...body.subarray(0, 100_000)));

function partsOf(json: JsonObject): { name: string; text: string }[] {
  return [...json.members].flatMap(([name, value]) =>
    value instanceof JsonObject || Array.isArray(value) ? [{ name, text: printJson(value) }] : [],
  );
}
