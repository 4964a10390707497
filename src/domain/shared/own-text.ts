/**
 * The text in memory of its own, for one that is kept. As a part of what it was read from (V8 does not copy parts of 13 characters or
 * more) it would keep the whole of that: a body of a megabyte, secrets too.
 */
export const ownText = (text: string): string => text.split('').join('');
