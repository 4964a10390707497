/**
 * Reads a stored row. `undefined` when its sealed value cannot be decrypted or parsed, so that a list can show the row as unreadable
 * instead of failing. The cipher has counted and logged it.
 */
export function readable<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** As `readable`, for values that are read in several turns. */
export const readableInTurns = <Read>(read: () => Promise<Read>): Promise<Read | undefined> => read().catch(() => undefined);
