/** Longer paths are not compared. */
const maxPathLength = 200;

/**
 * The public path that an unknown path probably means, or `undefined`. Accepts one wrong letter, another case, a doubled slash, and a
 * missing, doubled or differently versioned prefix. Source: contract/conventions#helpful-refusals.
 */
export function nearestPath(path: string, known: readonly string[]): string | undefined {
  if (path.length > maxPathLength) return undefined;
  const plain = segmentsOf(path).join('/').toLowerCase();
  const bare = plain.replace(/^(?:(?:api|v\d{1,2})\/)+/, '');
  for (const one of known) {
    const wanted = segmentsOf(one).join('/');
    if (isWithinOneEdit(bare, wanted.slice(prefix.length)) || isWithinOneEdit(plain, wanted)) return `${one}/`;
  }
  return undefined;
}

const prefix = 'api/v1/';

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** Whether the texts differ by at most one inserted, removed or replaced letter; compares both in one pass. */
function isWithinOneEdit(one: string, other: string): boolean {
  const longer = one.length >= other.length ? one : other;
  const shorter = longer === one ? other : one;
  if (longer.length - shorter.length > 1) return false;
  let same = 0;
  while (same < shorter.length && longer[same] === shorter[same]) same++;
  const rest = longer.length === shorter.length ? same + 1 : same;
  return longer.slice(same + 1) === shorter.slice(rest);
}
