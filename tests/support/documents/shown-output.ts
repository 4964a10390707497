/** What a document leaves out of an output: anything may stand there. */
const anything = '…';

/** How a text differs from the one shown, blanks at the ends apart; `undefined`: it does not. `…` stands for anything. */
export function textDifference(shown: string, came: string): string | undefined {
  const form = shown
    .trim()
    .split(anything)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*');
  return new RegExp(`^${form}$`).test(came.trim()) ? undefined : `came as ${came.trim()}`;
}

/**
 * How an answer differs from the JSON shown; `undefined`: it does not. In a text `…` stands for anything, as a value for any
 * value, and a member `…` for members that are not shown.
 */
export function jsonDifference(shown: string, came: string): string | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(came);
  } catch {
    return `came as ${came}, which is no JSON`;
  }
  return fits(JSON.parse(shown), answer) ? undefined : `came as ${came}`;
}

function fits(shown: unknown, came: unknown): boolean {
  if (shown === anything) return true;
  if (typeof shown === 'string') return typeof came === 'string' && textDifference(shown, came) === undefined;
  if (typeof shown !== 'object' || shown === null) return Object.is(shown, came);
  if (typeof came !== 'object' || came === null || Array.isArray(shown) !== Array.isArray(came)) return false;
  const { [anything]: more, ...members } = shown as Record<string, unknown>;
  const of = came as Record<string, unknown>;
  const whole = more !== undefined || Object.keys(of).length === Object.keys(members).length;
  return whole && Object.entries(members).every(([name, value]) => name in of && fits(value, of[name]));
}
