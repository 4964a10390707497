/**
 * Hides everything in a text but its shape: letters become `x`, digits `0`, characters beyond ASCII `·`. What stays is what both
 * sides know by their contract: the texts of `known`, and the names of JSON members that look like names.
 */
export function shapeOf(text: string, known: readonly string[]): string {
  const kept = known
    .filter((one) => one.length > 0)
    .sort((a, b) => b.length - a.length)
    .map(escaped);
  const pattern = new RegExp([...kept, `"[a-z][a-z_]{0,39}"(?=\\s*:)`, '[\\s\\S]'].join('|'), 'gu');
  return text.replace(pattern, (found) => ([...found].length > 1 ? found : hidden(found)));
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');

/** Pictures of control characters and the marks around unseen ones tell of form alone. */
function hidden(character: string): string {
  if (/[A-Za-z]/.test(character)) return 'x';
  if (/[0-9]/.test(character)) return '0';
  return /[\x20-\x7e\u2400-\u2426…⟨⟩\n]/u.test(character) ? character : '·';
}

/** A sentence without the values that it quotes, and without the names of apps that are not concerned. */
export function sentenceWithout(sentence: string, known: readonly string[]): string {
  return withQuoted(sentence, (quoted) => shapeOf(quoted, known)).replace(
    /\b(?:host-app|miniapp) ([A-Za-z0-9._-]*[A-Za-z0-9_-])/gu,
    (all, id: string) => (known.includes(id) ? all : 'another app'),
  );
}

/** Changes what stands between “ and the next ”; what a value quotes by itself is part of it. Reads the text once. */
function withQuoted(sentence: string, change: (quoted: string) => string): string {
  let [made, from] = ['', 0];
  for (;;) {
    const open = sentence.indexOf('“', from);
    const close = open < 0 ? -1 : sentence.indexOf('”', open);
    if (close < 0) return made + sentence.slice(from);
    made += `${sentence.slice(from, open + 1)}${change(sentence.slice(open + 1, close))}”`;
    from = close + 1;
  }
}
