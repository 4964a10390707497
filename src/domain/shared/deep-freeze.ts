/** Freezes a record and everything in it, in place, so that nobody can change a cached, shared record. */
export function deepFreeze<T extends object>(record: T): T {
  for (const value of Object.values(record))
    if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) deepFreeze(value as object);
  return Object.freeze(record);
}
