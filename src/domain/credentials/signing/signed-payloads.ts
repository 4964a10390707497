import { JsonSyntaxError, readJsonText, type Json } from '../../shared/json';
import { inAscii, printJson, type JsonForm } from '../../shared/print-json';
import type { PreparedSigning } from './signing-string';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** A body whose other forms may have been signed, read once. */
export interface ReadPayload {
  readonly sent: string;
  readonly json: Json;
}

/** Reads a body for `otherPayloads`; `undefined` where it is not JSON or not signed. */
export function readPayload(body: Uint8Array, { uses }: PreparedSigning): ReadPayload | undefined {
  if (body.length === 0 || !uses.has('payload')) return undefined;
  const sent = textIn(body);
  const json = sent === undefined ? undefined : jsonIn(sent);
  return sent === undefined || json === undefined ? undefined : { sent, json };
}

/**
 * Other forms of the body that may have been signed instead of its raw bytes: its JSON in the agreed form, then compact and with blanks,
 * each unescaped and with `\u` escapes, each also with sorted keys where the app sorts (contract/signatures#texts-that-are-tried). Yields
 * no text twice.
 */
export function* otherPayloads(payload: ReadPayload, form: JsonForm): Generator<Uint8Array> {
  for (const text of textsOf(payload, form)) yield encoder.encode(text);
}

/** As `otherPayloads`, for a body that is valid UTF-8; none where it is not JSON. */
export function otherTexts(sent: string, form: JsonForm): Iterable<string> {
  const json = jsonIn(sent);
  return json === undefined ? [] : textsOf({ sent, json }, form);
}

function* textsOf({ sent, json }: ReadPayload, form: JsonForm): Generator<string> {
  const tried = new Set<string>([sent]);
  for (const sortKeys of form.sortKeys ? [true, false] : [false]) {
    for (const spaces of agreedFirst(form.spaces)) {
      const printed = printJson(json, { sortKeys, spaces });
      for (const ascii of agreedFirst(form.ascii)) {
        const text = ascii ? inAscii(printed) : printed;
        if (tried.has(text)) continue;
        tried.add(text);
        yield text;
      }
    }
  }
}

const agreedFirst = (agreed = false): readonly boolean[] => [agreed, !agreed];

function textIn(body: Uint8Array): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

function jsonIn(body: string): Json | undefined {
  try {
    return readJsonText(body);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return undefined;
  }
}
