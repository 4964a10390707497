/**
 * Hides JSON from class-transformer, which copies every object and list, however large, and would lose the text of numbers. It passes
 * functions on unchanged, so the JSON travels inside one.
 */
export const sealed = (value: unknown): unknown => (typeof value === 'object' ? () => value : value);

/** The JSON that `sealed` has wrapped. */
export const opened = (value: unknown): unknown => (typeof value === 'function' ? (value as () => unknown)() : value);
