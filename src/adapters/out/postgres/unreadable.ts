/**
 * What is read of a stored row; `undefined` where its sealed value does not open, or does not hold what was stored. A list shows such a row
 * as unreadable instead of failing as a whole; the box has counted and logged it.
 */
export function readable<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
