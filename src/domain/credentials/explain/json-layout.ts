import { JsonNumber, JsonObject, type Json } from '../../shared/json';

/** JSON layouts of libraries: the positions of blanks, or the indentation of lines. */
export type JsonLayout = 'compact' | 'spaces' | 'colon-space' | 'comma-space' | '2' | '3' | '4' | 'tab';

export interface LayoutChoice {
  readonly layout: JsonLayout;
  /** `deep-utf16`: by UTF-16 code unit, as JavaScript sorts; `top`: only the outermost object. */
  readonly sortKeys: boolean | 'deep-utf16' | 'top';
}

const gaps: Readonly<Record<JsonLayout, { readonly comma: string; readonly colon: string; readonly indent?: string }>> = {
  compact: { comma: ',', colon: ':' },
  spaces: { comma: ', ', colon: ': ' },
  'colon-space': { comma: ',', colon: ': ' },
  'comma-space': { comma: ', ', colon: ':' },
  '2': { comma: ',', colon: ': ', indent: '  ' },
  '3': { comma: ',', colon: ': ', indent: '   ' },
  '4': { comma: ',', colon: ': ', indent: '    ' },
  tab: { comma: ',', colon: ': ', indent: '\t' },
};

/** Prints JSON as another library would. */
export function laidOut(json: Json, choice: LayoutChoice, depth = 0): string {
  if (json === null || typeof json === 'boolean') return String(json);
  if (typeof json === 'string') return JSON.stringify(json);
  if (json instanceof JsonNumber) return json.text;
  const { comma, colon, indent } = gaps[choice.layout];
  const inner = choice.sortKeys === 'top' ? { ...choice, sortKeys: false } : choice;
  const items =
    json instanceof JsonObject
      ? membersOf(json, choice.sortKeys).map(([name, value]) => JSON.stringify(name) + colon + laidOut(value, inner, depth + 1))
      : json.map((item) => laidOut(item, inner, depth + 1));
  const [open, close] = json instanceof JsonObject ? ['{', '}'] : ['[', ']'];
  if (indent === undefined || items.length === 0) return open + items.join(comma) + close;
  const line = `\n${indent.repeat(depth + 1)}`;
  return `${open}${line}${items.join(comma + line)}\n${indent.repeat(depth)}${close}`;
}

function membersOf({ members }: JsonObject, sortKeys: LayoutChoice['sortKeys']): [string, Json][] {
  if (sortKeys === false) return [...members];
  return [...members].sort(([a], [b]) => (sortKeys === 'deep-utf16' ? byUnit(a, b) : byCodePoint([...a], [...b])));
}

const byUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function byCodePoint(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i]?.codePointAt(0) ?? 0) - (b[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
