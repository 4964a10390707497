/** Freezes a record and all that it holds, in place: what is cached and shared can be changed by nobody. */
export function deepFreeze<T extends object>(record: T): T {
  for (const value of Object.values(record))
    if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) deepFreeze(value as object);
  return Object.freeze(record);
}
