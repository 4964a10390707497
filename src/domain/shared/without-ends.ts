/**
 * Removes the run of one character at the end of a text. Linear: `/x+$/` would also read every other run of the text, once for each of its
 * characters.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** Removes blanks and tabs at both ends of a text: optional whitespace of a header (RFC 9110 §5.6.3). */
export function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';
