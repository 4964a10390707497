/**
 * Replaces all values in a text: letters by `x`, digits by `0`, characters beyond ASCII by `·`. Keeps text that both sides know by the
 * contract: the texts of `known`, and names of JSON members that look like names.
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

/** Keeps symbols for control characters and the marks around invisible ones, because they reveal only the form. */
function hidden(character: string): string {
  if (/[A-Za-z]/.test(character)) return 'x';
  if (/[0-9]/.test(character)) return '0';
  return /[\x20-\x7e\u2400-\u2426…⟨⟩\n]/u.test(character) ? character : '·';
}

/** Removes quoted values from a sentence, and the names of apps that are not concerned. */
export function sentenceWithout(sentence: string, known: readonly string[]): string {
  return withQuoted(sentence, (quoted) => shapeOf(quoted, known)).replace(
    /\b(?:host-app|miniapp) ([A-Za-z0-9._-]*[A-Za-z0-9_-])/gu,
    (all, id: string) => (known.includes(id) ? all : 'another app'),
  );
}

/** Changes the text between “ and the next ”, including quotes inside it. Reads the sentence once. */
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
