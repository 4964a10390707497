import { JsonSyntaxError, type Json } from '../../shared/json';
import { readJsonInTurns, readJsonText } from '../../shared/read-json';
import { inAscii, inAsciiInTurns, printJson, printJsonInTurns, type JsonForm } from '../../shared/print-json';
import type { PreparedSigning } from './signing-string';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** A body whose other forms may have been signed, read once. */
export interface ReadPayload {
  readonly sent: string;
  readonly json: Json;
}

/** Reads a body for `otherPayloads`; `undefined` where it is not JSON or not signed. */
export async function readPayload(
  body: Uint8Array,
  { uses }: PreparedSigning,
  pause: () => Promise<void>,
): Promise<ReadPayload | undefined> {
  if (body.length === 0 || !uses.has('payload')) return undefined;
  const json = await orNone(readJsonInTurns(body, pause));
  return json === undefined ? undefined : { sent: utf8.decode(body), json };
}

/**
 * Other forms of the body that may have been signed instead of its raw bytes: its JSON in the agreed form, then compact and with blanks,
 * each unescaped and with `\u` escapes, each also with sorted keys where the app sorts (contract/signatures#texts-that-are-tried). Yields
 * no text twice. Prints a long body in several turns; `pause` ends one.
 */
export async function* otherPayloads(payload: ReadPayload, form: JsonForm, pause: () => Promise<void>): AsyncGenerator<Uint8Array> {
  const tried = new Set<string>([payload.sent]);
  for (const layout of layoutsOf(form)) {
    const printed = await printJsonInTurns(payload.json, layout, pause);
    for (const ascii of agreedFirst(form.ascii)) {
      const text = ascii ? await inAsciiInTurns(printed, pause) : printed;
      if (isNew(text, tried)) yield encoder.encode(text);
    }
  }
}

/** As `otherPayloads`, for a body that is valid UTF-8; none where it is not JSON. */
export function otherTexts(sent: string, form: JsonForm): readonly string[] {
  const json = jsonIn(sent);
  const tried = new Set<string>([sent]);
  return json === undefined ? [] : layoutsOf(form).flatMap((layout) => [...spellings(printJson(json, layout), form, tried)]);
}

/** The orders and blanks that are tried, the agreed ones first. */
const layoutsOf = ({ sortKeys, spaces }: JsonForm): readonly JsonForm[] =>
  (sortKeys ? [true, false] : [false]).flatMap((sorted) => agreedFirst(spaces).map((spaced) => ({ sortKeys: sorted, spaces: spaced })));

/** The text with and without escapes, the agreed one first, without those that were tried. */
function* spellings(printed: string, form: JsonForm, tried: Set<string>): Generator<string> {
  for (const ascii of agreedFirst(form.ascii)) {
    const text = ascii ? inAscii(printed) : printed;
    if (isNew(text, tried)) yield text;
  }
}

/** Whether the text was not tried yet. Notes it. */
function isNew(text: string, tried: Set<string>): boolean {
  const { size } = tried;
  return tried.add(text).size > size;
}

const agreedFirst = (agreed = false): readonly boolean[] => [agreed, !agreed];

/** What `read` reads; `undefined` for text that is not JSON. */
async function orNone(read: Promise<Json>): Promise<Json | undefined> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
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
