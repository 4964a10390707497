/**
 * class-transformer copies each object and list that it meets, however large, and would lose the text of numbers. It passes
 * functions on, so JSON that must arrive as it was sent travels inside one.
 */
export const sealed = (value: unknown): unknown => (typeof value === 'object' ? () => value : value);

/** The JSON that was sealed. */
export const opened = (value: unknown): unknown => (typeof value === 'function' ? (value as () => unknown)() : value);
