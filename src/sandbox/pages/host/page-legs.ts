import type { PlaygroundLeg } from '../../playground-leg';

export type NoteLeg = (leg: PlaygroundLeg) => void;

let noted = 0;

/** A message between the two pages, which no server sees. `to` says which way it went. */
export function messageLeg(to: 'host page' | 'miniapp page', call: string, facts: Readonly<Record<string, string>> = {}): PlaygroundLeg {
  noted += 1;
  const from = to === 'host page' ? 'miniapp page' : 'host page';
  return { id: `message.${String(noted)}`, at: Date.now(), from, to, call, ms: 0, attempt: 1, facts };
}
