/**
 * A text without the run of one character at its end. Reads that run alone, while `/x+$/` also reads every other run of the
 * text, and each of them once for every character that it has.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** A text without the blanks and tabs at its two ends: optional whitespace of a header (RFC 9110 §5.6.3). */
export function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';
