import { JsonNumber, JsonObject, type Json } from '../../../shared/json';
import { printJson, type JsonForm } from '../../../shared/print-json';
import { withoutTrailing } from '../../../shared/without-ends';
import type { CauseCode } from '../cause';
import { encodedBodies, jsonIn, type OtherBody, type PayloadSource } from '../encoded-bodies';
import { hexOf, type TextDeviation } from '../filling';
import { otherTexts } from '../../signing/signed-payloads';
import { laidOut } from '../json-layout';
import type { SignatureLab } from '../ports';
import { printedDifferences, unescaped } from './printed-differences';

/** A possible text of the payload, before changes at its ends and of its encoding. */
interface Draft {
  readonly text: string;
  readonly codes: readonly CauseCode[];
  readonly cost: number;
  readonly phrases: readonly string[];
  /** The text prints the same value as the body, so its differences are found by comparing the two texts. */
  readonly isPrinted?: boolean;
}

/** Length in characters above which only the likeliest texts are tried. */
const longBody = 20_000;

const encoder = new TextEncoder();
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Payloads that may have been signed instead of the body, including the second form that the service accepts (without a code). */
export function payloadDeviations(source: PayloadSource, lab: SignatureLab): readonly TextDeviation[] {
  const text = textOf(source.body);
  const drafts = text === undefined || text === '' ? [] : draftsOf(text, source);
  const found = new Map<string, OtherBody>();
  const note = (key: string, made: OtherBody): void => {
    if ((found.get(key)?.cost ?? Infinity) > made.cost) found.set(key, made);
  };
  const asSent: Draft = { text: text ?? '', codes: [], cost: 0, phrases: [] };
  for (const draft of [asSent, ...drafts.flatMap((one) => [one, ...endsOf(one)])]) {
    note(draft.text, { ...draft, payload: encoder.encode(draft.text) });
  }
  if (text !== '') note('', { payload: new Uint8Array(), codes: ['body-empty'], cost: 1, phrases: ['is empty'] });
  for (const other of encodedBodies(source, text, lab)) note(`:${hexOf(other.payload)}`, other);
  return [...found.values()].filter(({ cost }) => cost > 0).map(deviationOf);
}

/** Marks texts as `alone` where there are many, so that they are tried without another mistake elsewhere. */
function deviationOf({ payload, codes, cost, phrases }: OtherBody): TextDeviation {
  const sentence = codes.length === 0 ? '' : `the payload in your signed text ${phrases.join(' and ')}; the body that you sent is not so`;
  const isAlone = cost > 3 || (codes.length === 0 && cost === rarelyAccepted);
  return { part: 'payload', codes, cost, sentence, fill: { payload }, ...(isAlone && { alone: true }) };
}

function textOf(body: Uint8Array): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

interface Mistake {
  readonly text: string;
  readonly code: CauseCode;
  readonly cost: number;
  readonly phrase: string;
}

/** Adds a second mistake; together they cost more than each alone. */
const withMistake = ({ codes, cost, phrases }: Draft, mistake: Mistake): Draft => ({
  text: mistake.text,
  codes: codes.includes(mistake.code) ? codes : [...codes, mistake.code],
  cost: cost + mistake.cost + (codes.length > 0 ? 2 : 0),
  phrases: [...phrases, mistake.phrase],
});

function endsOf(draft: Draft): Draft[] {
  const { text } = draft;
  if (draft.cost > 2.5) return [];
  const mistake = (to: string, cost: number, phrase: string): Mistake => ({ text: to, code: 'body-newline', cost, phrase });
  const mistakes = [mistake(`${text}\n`, 1, 'ends with a line feed'), mistake(`${text}\r\n`, 2, 'ends with CR LF')];
  const trimmed = text.trim();
  if (trimmed !== text) mistakes.push(mistake(trimmed, 1, 'lacks the line break or blank at the end or beginning of the body'));
  if (/[^\r]\n/.test(text)) mistakes.push(mistake(text.replace(/\r?\n/g, '\r\n'), 2, 'has CR LF where lines end'));
  if (text.includes('\r\n')) mistakes.push(mistake(text.replaceAll('\r\n', '\n'), 2, 'has a line feed alone where lines end'));
  if (/\s$/.test(text)) mistakes.push(mistake(`${text}\n`, 2, 'ends with one more line feed'));
  mistakes.push(mistake(`${text} `, 3, 'ends with a blank'), mistake(`\n${text}`, 3, 'begins with a line feed'));
  mistakes.push({ text: `\ufeff${text}`, code: 'body-bom', cost: 1, phrase: 'begins with a byte order mark' });
  return mistakes.map((one) => withMistake(draft, one));
}

function draftsOf(text: string, { form }: PayloadSource): Draft[] {
  const accepted = [...otherTexts(text, form)].map((one, i) => acceptedDraft(one, i === 0));
  const asSent: Draft = { text, codes: [], cost: 0, phrases: [] };
  const json = jsonIn(text);
  const drafts: Draft[] = [asSent, ...(json === undefined ? [] : [...formDrafts(json, form), ...changedDrafts(json, form)])];
  const likely = text.length > longBody ? drafts.filter(({ cost }) => cost <= 1) : drafts;
  const all = likely.flatMap((draft) => (draft.cost > 3 ? [draft] : [draft, ...escapeDrafts(draft, text), ...slashDrafts(draft)]));
  return [...accepted, ...all.map((draft) => asCompared(draft, text))];
}

/** A form that the service accepts as well, so it is no mistake. */
const acceptedDraft = (text: string, isAgreed: boolean): Draft => ({ text, codes: [], cost: isAgreed ? 0.1 : rarelyAccepted, phrases: [] });
/** Cost of a form that the service accepts without an agreement: it is not combined with mistakes elsewhere. */
const rarelyAccepted = 0.2;

/** Describes only the actual differences of the two texts, whatever changes led to them. */
function asCompared(draft: Draft, sent: string): Draft {
  if (draft.isPrinted !== true || draft.text === sent) return draft;
  const differences = printedDifferences(sent, draft.text);
  if (differences.length === 0) return draft;
  return { ...draft, codes: differences.map(({ code }) => code), phrases: differences.map(({ phrase }) => phrase) };
}

const layouts = ['compact', 'spaces', 'colon-space', 'comma-space', '2', '4', 'tab', '3'] as const;

/** The same value in every layout and order of known libraries. */
function formDrafts(json: Json, form: JsonForm): Draft[] {
  const drafts: Draft[] = [];
  for (const sortKeys of [false, true, 'deep-utf16', 'top'] as const) {
    for (const [rank, layout] of layouts.entries()) {
      const text = laidOut(json, { layout, sortKeys });
      const spacedAsAgreed = layout === (form.spaces ? 'spaces' : 'compact');
      const sorted = sortKeys !== false && text !== laidOut(json, { layout, sortKeys: false });
      drafts.push({
        text,
        codes: [sorted ? 'body-sorted' : 'body-reserialised'],
        cost: !sorted ? 1 + rank / 4 : spacedAsAgreed ? 1 : 1.5 + rank / 4,
        phrases: [sorted ? 'has its members sorted' : 'is the same JSON printed in another way'],
        isPrinted: true,
      });
    }
  }
  return drafts;
}

/** The value as changed by a library. */
function changedDrafts(json: Json, form: JsonForm): Draft[] {
  const drafts: Draft[] = [];
  const add = (text: string, phrase: string): void => void drafts.push({ text, codes: ['body-reserialised'], cost: 3, phrases: [phrase] });
  const other = (changed: Json, phrase: string): void => {
    for (const layout of ['compact', 'spaces'] as const) add(laidOut(changed, { layout, sortKeys: form.sortKeys === true }), phrase);
  };
  other(withNumbers(json, shortest), 'has its numbers written in another way');
  other(withNumbers(json, withoutZeros), 'has no zeros at the end of its decimals');
  other(
    withNumbers(json, (number) => (/^-?\d+$/.test(number) ? `${number}.0` : number)),
    'has a decimal point in whole numbers',
  );
  other(
    withNumbers(json, (number) => JSON.stringify(number)),
    'has its numbers as strings',
  );
  other(withoutNulls(json), 'lacks the members that are null');
  add(JSON.stringify(printJson(json, form)), 'was made JSON twice');
  return drafts;
}

/** A number as printed by a language that stores it as a binary float. */
const shortest = (text: string): string => (text.length > 30 ? text : String(Number(text)));

const withoutZeros = (text: string): string => (/^-?\d+\.\d+$/.test(text) ? withoutTrailing(withoutTrailing(text, '0'), '.') : text);

function withNumbers(json: Json, change: (text: string) => string): Json {
  if (json instanceof JsonNumber) return new JsonNumber(change(json.text));
  if (json instanceof JsonObject)
    return new JsonObject(new Map([...json.members].map(([name, value]) => [name, withNumbers(value, change)])));
  return Array.isArray(json) ? json.map((item: Json) => withNumbers(item, change)) : json;
}

function withoutNulls(json: Json): Json {
  if (!(json instanceof JsonObject)) return Array.isArray(json) ? json.map(withoutNulls) : json;
  return new JsonObject(
    new Map([...json.members].flatMap(([name, value]) => (value === null ? [] : [[name, withoutNulls(value)] as const]))),
  );
}

const escaped = (text: string, pattern: RegExp, upper = false): string =>
  text.replace(pattern, (unit) => {
    const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${upper ? digits.toUpperCase() : digits}`;
  });

/** Adds escapes that the body lacks, or removes those that it has. */
function escapeDrafts(draft: Draft, sent: string): Draft[] {
  const { text } = draft;
  const nonAscii = /[\u0080-\uffff]/g;
  const mistake = (to: string, cost: number, phrase = 'spells characters as \\u escapes'): Mistake[] =>
    to === text || to === sent ? [] : [{ text: to, code: 'body-escaped-unicode', cost, phrase }];
  return [
    ...mistake(escaped(text, nonAscii), 1),
    ...mistake(escaped(text, nonAscii, true), 1.5, 'spells characters as \\u escapes with capital digits'),
    ...mistake(escaped(text, /[<>&]/g), 2),
    ...mistake(escaped(text, /[<>&'+]/g), 3),
    ...mistake(escaped(text, /[<>&\u0080-\uffff]/g), 3),
    ...mistake(escaped(text, /[\u2028\u2029]/g), 3),
    ...mistake(unescaped(text), 1, 'holds characters as themselves'),
  ].map((one) => ({ ...withMistake(draft, one), ...(draft.isPrinted && { isPrinted: true }) }));
}

function slashDrafts(draft: Draft): Draft[] {
  const { text } = draft;
  const mistake = (to: string, phrase: string): Mistake[] =>
    to === text ? [] : [{ text: to, code: 'body-reserialised', cost: 2, phrase }];
  const slashes = mistake(text.replace(/(?<!\\)\//g, '\\/'), 'has a backslash before each slash');
  const plain = mistake(text.replaceAll('\\/', '/'), 'has no backslash before its slashes');
  // Slashes and non-ASCII characters escaped, as PHP prints JSON.
  const php = mistake(escaped(text.replace(/(?<!\\)\//g, '\\/'), /[\u0080-\uffff]/g), 'has a backslash before each slash and \\u escapes');
  return [...slashes, ...plain, ...php].map((one) => withMistake(draft, one));
}
