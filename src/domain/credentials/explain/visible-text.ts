const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Invisible characters: other blanks, zero width, direction marks, the byte order mark. */
const unseen = /[\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/g;

/**
 * Converts bytes to text with visible symbols for everything invisible: `␊` for a line feed, `⟨U+FEFF⟩` for a byte order mark, `⟨FF⟩` for
 * a byte that is no text.
 */
export function visibleText(bytes: Uint8Array): string {
  return (decoded(bytes) ?? asciiOf(bytes))
    .replace(/\p{Cc}/gu, (character) => pictureOf(character.charCodeAt(0)))
    .replace(unseen, (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** Control pictures of Unicode. */
function pictureOf(code: number): string {
  if (code > 0x7f) return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code);
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const asciiOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : `⟨${byte.toString(16).toUpperCase()}⟩`)).join('');

/** The offset of the first byte that differs; `undefined` when the two are equal. */
export function firstDifference(a: Uint8Array, b: Uint8Array): number | undefined {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return i;
  return a.length === b.length ? undefined : shorter;
}

/** An excerpt as visible text, and the column of the offset in it. */
export interface Excerpt {
  readonly text: string;
  readonly column: number;
}

const surrounding = 40;

/** Returns the 40 bytes before an offset and the 40 after it. */
export function excerptAt(bytes: Uint8Array, at: number): Excerpt {
  const [from, to] = [characterStart(bytes, at - surrounding), characterStart(bytes, at + surrounding)];
  const start = from > 0 ? '…' : '';
  const before = start + visibleText(bytes.subarray(from, characterStart(bytes, at)));
  const after = visibleText(bytes.subarray(characterStart(bytes, at), to));
  return { text: before + after + (to < bytes.length ? '…' : ''), column: [...before].length };
}

/** Moves an offset back to the start of its UTF-8 character. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = Math.max(0, Math.min(at, bytes.length));
  while (start > 0 && start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start--;
  return start;
}

const longestShown = 2000;

/** Bytes as visible text, cut in the middle where they are more than 2,000. */
export function shownText(bytes: Uint8Array): string {
  if (bytes.length <= longestShown) return visibleText(bytes);
  const head = characterStart(bytes, longestShown / 2);
  const tail = characterStart(bytes, bytes.length - longestShown / 2);
  return `${visibleText(bytes.subarray(0, head))}⟨${String(tail - head)} bytes⟩${visibleText(bytes.subarray(tail))}`;
}
