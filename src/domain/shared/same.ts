/** Whether two plain records are equal: same members in any order; absent and undefined are the same. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const name of names) if (!same(member(left, name), member(right, name))) return false;
  return true;
}

// Own members only: `colors` may contain any name, such as `toString`.
const member = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;
