import { JsonSyntaxError, printJson, readJsonText, type Json, type JsonForm } from '../../shared/json';
import type { PreparedSigning } from './signing-string';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Other forms of the body that may have been signed instead of its raw bytes: its JSON in the agreed form, then compact and with blanks,
 * each unescaped and with `\u` escapes, each also with sorted keys where the app sorts (contract/signatures#texts-that-are-tried). Parses
 * the body once, and yields no text twice. Yields nothing where the body is not JSON or not signed.
 */
export function* otherPayloads(body: Uint8Array, { uses, form }: PreparedSigning): Generator<Uint8Array> {
  if (body.length === 0 || !uses.has('payload')) return;
  const sent = textIn(body);
  if (sent === undefined) return;
  for (const text of otherTexts(sent, form)) yield encoder.encode(text);
}

/** As `otherPayloads`, for a body that is valid UTF-8. */
export function* otherTexts(body: string, form: JsonForm): Generator<string> {
  const json = jsonIn(body);
  if (json === undefined) return;
  const tried = new Set<string>([body]);
  for (const sortKeys of form.sortKeys ? [true, false] : [false]) {
    for (const spaces of agreedFirst(form.spaces)) {
      for (const ascii of agreedFirst(form.ascii)) {
        const text = printJson(json, { sortKeys, spaces, ascii });
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
