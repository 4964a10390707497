/**
 * A stored row as read; `undefined` where its sealed value does not open, or holds something else. A list shows such a row
 * as unreadable instead of failing as a whole; the box has counted and logged it.
 */
export function readable<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
