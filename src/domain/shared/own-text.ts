/**
 * Copies a text that is kept. V8 represents a part of 13 or more characters as a reference to its source, which would keep the whole
 * source in memory: a body of a megabyte, secrets too.
 */
export const ownText = (text: string): string => text.split('').join('');
