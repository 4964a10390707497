/** Thrown when a required id or name is missing: a bug of ours, never the result of a lookup. Names the field, without its value. */
export class MissingId extends Error {
  constructor(name: string) {
    super(`${name} must be text that is not empty`);
    this.name = 'MissingId';
  }
}

/**
 * Guards every lookup: a condition with a missing value must never match a row, whatever the layers below do with it. Throws MissingId
 * where a value is not text or is empty.
 */
export function requireIds(ids: Readonly<Record<string, unknown>>): void {
  for (const name in ids) {
    const value = ids[name];
    if (typeof value !== 'string' || value === '') throw new MissingId(name);
  }
}
