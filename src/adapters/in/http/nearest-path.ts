/** A longer path is not compared. */
const maxPathLength = 200;

/**
 * The public path that was probably meant by one that no route takes, or `undefined`: a letter is off or in another case, a slash
 * is doubled, or the prefix is missing, doubled or another version's. Source: contract/conventions#helpful-refusals.
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

/** Whether one letter more, less or another makes the texts equal; one walk over both. */
function isWithinOneEdit(one: string, other: string): boolean {
  const longer = one.length >= other.length ? one : other;
  const shorter = longer === one ? other : one;
  if (longer.length - shorter.length > 1) return false;
  let same = 0;
  while (same < shorter.length && longer[same] === shorter[same]) same++;
  const rest = longer.length === shorter.length ? same + 1 : same;
  return longer.slice(same + 1) === shorter.slice(rest);
}
