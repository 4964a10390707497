/** An id or name that must be there was not: a fault of ours, never an answer to a lookup. Names the field, quotes nothing. */
export class MissingId extends Error {
  constructor(name: string) {
    super(`${name} must be text that is not empty`);
    this.name = 'MissingId';
  }
}

/**
 * Guards every lookup: a condition whose value is missing must never match a row, whatever the layers below make of it.
 * Throws MissingId where a value is not text or is empty.
 */
export function requireIds(ids: Readonly<Record<string, unknown>>): void {
  for (const name in ids) {
    const value = ids[name];
    if (typeof value !== 'string' || value === '') throw new MissingId(name);
  }
}
