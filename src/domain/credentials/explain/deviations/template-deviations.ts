import type { SignatureHash } from '../../signing/signature-settings';
import { compileTemplate, placeholdersOf, type Placeholder, type TemplatePart } from '../../signing/signing-template';
import type { CauseCode } from '../cause';
import type { Digested, TextDeviation } from '../filling';

/** Templates that may have been used instead of the agreed one. */
export function templateDeviations(parts: readonly TemplatePart[]): readonly TextDeviation[] {
  const found = new Map<string, TextDeviation>();
  const agreed = templateText(parts);
  const note = ({ codes, cost, sentence, alone }: Omit<TextDeviation, 'part' | 'fill'>, made: readonly TemplatePart[]): void => {
    const key = templateText(made);
    const known = found.get(key);
    if (key === agreed || (known && known.cost <= cost)) return;
    found.set(key, { part: 'parts', codes, cost, sentence, fill: { parts: made }, ...(alone && { alone }) });
  };
  for (const lacking of lackingParts(parts))
    note(deviation('missing-placeholder', lacking.cost, `your signed text lacks {${lacking.name}}`), lacking.parts);
  for (const { separator, cost, made } of otherSeparators(parts)) {
    note(deviation('template-separator', cost, `your signed text has ${separator} between its parts; the template is ${agreed}`), made);
  }
  for (const order of otherOrders(parts)) {
    note(deviation('template-order', order.cost, orderPhrase(parts, order.made)), order.made);
  }
  for (const whole of wellKnown) {
    const made = compileTemplate(whole);
    const codes = differenceOf(parts, made);
    if (codes.length > 0) note({ codes, cost: codes.length + 1, sentence: `you filled the template ${whole}; agreed is ${agreed}` }, made);
  }
  return [...found.values()];
}

/** All orders of up to six placeholders. */
export function rareTemplateDeviations(parts: readonly TemplatePart[]): readonly TextDeviation[] {
  const names = placeholdersOf(parts);
  if (names.length > 6) return [];
  return permutations(names).map((order) => {
    const made = reordered(parts, order);
    return { part: 'parts', ...deviation('template-order', 5, orderPhrase(parts, made)), fill: { parts: made }, alone: true };
  });
}

const orderPhrase = (parts: readonly TemplatePart[], made: readonly TemplatePart[]): string =>
  `the parts of your signed text stand in another order: ${templateText(made)} and not ${templateText(parts)}`;

const deviation = (code: CauseCode, cost: number, sentence: string): Omit<TextDeviation, 'part' | 'fill'> => ({
  codes: [code],
  cost,
  sentence,
});

/** The source text of a template. */
export const templateText = (parts: readonly TemplatePart[]): string =>
  parts.map((part) => ('text' in part ? part.text : `{${part.placeholder}}`)).join('');

interface Lacking {
  readonly name: Placeholder;
  readonly cost: number;
  readonly parts: readonly TemplatePart[];
}

/** Leaves out each placeholder: with the separator before it, with the one after it, or with none. */
function lackingParts(parts: readonly TemplatePart[]): Lacking[] {
  return parts.flatMap((part, i) => {
    if ('text' in part) return [];
    const name = part.placeholder;
    const without = (from: number, to: number): readonly TemplatePart[] => joined([...parts.slice(0, from), ...parts.slice(to + 1)]);
    const isText = (at: number): boolean => 'text' in (parts[at] ?? {});
    return [
      ...(isText(i - 1) ? [{ name, cost: 1, parts: without(i - 1, i) }] : []),
      ...(isText(i + 1) ? [{ name, cost: 1, parts: without(i, i + 1) }] : []),
      { name, cost: 1.5, parts: without(i, i) },
    ];
  });
}

/** Joins adjacent texts. */
function joined(parts: readonly TemplatePart[]): readonly TemplatePart[] {
  const result: TemplatePart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if ('text' in part && last && 'text' in last) result[result.length - 1] = { text: last.text + part.text };
    else result.push(part);
  }
  return result;
}

const separators: readonly (readonly [string, string, number])[] = [
  ...([
    ['', 'nothing', 1],
    ['|', '|', 1],
    ['\n', 'line feeds', 1],
    ['.', 'dots', 1],
    [':', 'colons', 1],
    [',', 'commas', 1.5],
  ] as const),
  ...([
    ['&', '&', 1.5],
    [' ', 'blanks', 1.5],
    ['-', 'hyphens', 2],
    ['_', '_', 2],
    [';', ';', 2],
    ['/', 'slashes', 2],
    ['\r\n', 'CR LF', 2],
  ] as const),
  ...([
    ['+', '+', 3],
    ['#', '#', 3],
    ['~', '~', 3],
    ['\t', 'tabs', 3],
    ['\\n', '\\n as two characters', 1.5],
    ['||', '||', 3],
    ['::', '::', 3],
    [', ', 'commas and blanks', 3],
  ] as const),
];

function otherSeparators(parts: readonly TemplatePart[]): { separator: string; cost: number; made: readonly TemplatePart[] }[] {
  const names = placeholdersOf(parts);
  const made = separators.map(([text, separator, cost]) => ({
    separator,
    cost,
    made: names.flatMap((placeholder, i): TemplatePart[] => (i === 0 || text === '' ? [{ placeholder }] : [{ text }, { placeholder }])),
  }));
  const ends = ['\n', '.', '|', ' '].map((text) => ({
    separator: 'one more separator at its end, not only',
    cost: 2,
    made: joined([...parts, { text }]),
  }));
  const starts = ['\n', '.', '|', ' '].map((text) => ({
    separator: 'one more separator at its beginning, not only',
    cost: 3,
    made: joined([{ text }, ...parts]),
  }));
  return [...made, ...ends, ...starts];
}

/** Changes the order of placeholders: two swapped, one moved, or all reversed. */
function otherOrders(parts: readonly TemplatePart[]): { cost: number; made: readonly TemplatePart[] }[] {
  const names = placeholdersOf(parts);
  const orders: { cost: number; names: readonly Placeholder[] }[] = [{ cost: 2, names: [...names].reverse() }];
  for (let i = 0; i < names.length; i++) {
    for (let j = 0; j < names.length; j++) {
      if (i === j) continue;
      const moved = names.filter((_, at) => at !== i);
      moved.splice(j, 0, names[i]!);
      orders.push({ cost: Math.abs(i - j) === 1 ? 1 : 1.5, names: moved });
      orders.push({ cost: 1.5, names: names.map((name, at) => names[at === i ? j : at === j ? i : at] ?? name) });
    }
  }
  return orders.map(({ cost, names: order }) => ({ cost, made: reordered(parts, order) }));
}

function permutations<T>(items: readonly T[]): (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) => permutations(items.filter((_, at) => at !== i)).map((rest) => [item, ...rest]));
}

function reordered(parts: readonly TemplatePart[], order: readonly Placeholder[]): readonly TemplatePart[] {
  const left = [...order];
  return parts.map((part) => ('text' in part ? part : { placeholder: left.shift() ?? part.placeholder }));
}

/** Templates of other platforms, and our own default. */
const wellKnown: readonly string[] = [
  '{request_method}.{url}.{client_id}.{timestamp}.{payload}',
  '{request_method}\n{url}\n{client_id}\n{timestamp}\n{payload}',
  '{request_method}\n{url}\n{timestamp}\n{payload}',
  '{request_method}\n{url}\n{timestamp}\n{nonce}\n{payload}',
  '{nonce}.{timestamp}.{payload}',
  '{timestamp}.{payload}',
  '{timestamp}{payload}',
  '{payload}',
  '{timestamp}{request_method}{url}{payload}',
  '{client_id}{timestamp}{payload}',
];

/** The codes of the differences between two templates; empty when they are equal. */
function differenceOf(agreed: readonly TemplatePart[], made: readonly TemplatePart[]): readonly CauseCode[] {
  const [wanted, used] = [placeholdersOf(agreed), placeholdersOf(made)];
  const codes: CauseCode[] = [];
  if (wanted.some((name) => !used.includes(name))) codes.push('missing-placeholder');
  if (used.some((name) => !wanted.includes(name))) return [];
  const common = wanted.filter((name) => used.includes(name));
  if (common.some((name, i) => used[i] !== name)) codes.push('template-order');
  const textsOf = (parts: readonly TemplatePart[]): string =>
    [...new Set(parts.flatMap((part) => ('text' in part ? [part.text] : [])))].join();
  if (used.length > 1 && textsOf(agreed) !== textsOf(made)) codes.push('template-separator');
  return codes;
}

/** Digests that may have been signed instead of the text. */
export function digestDeviations(hash: SignatureHash): readonly TextDeviation[] {
  const forms: readonly Digested['as'][] = ['hex', 'raw', 'HEX', 'base64'];
  return [...new Set<SignatureHash>([hash, 'SHA-256', 'SHA-1', 'MD5', 'SHA-512'])].flatMap((used, rank) =>
    forms.map((as, i): TextDeviation => {
      const form = as === 'raw' ? '' : as === 'base64' ? ' in base64' : ' in hex';
      const sentence = `you signed the ${used} digest${form} of the text instead of the text: signing hashes it by itself`;
      return { part: 'digested', codes: ['double-hash'], cost: 1 + rank + i / 4, sentence, fill: { digested: { hash: used, as } } };
    }),
  );
}
