import type { PlaygroundLeg } from '../../../playground/playground-leg';

export type NoteLeg = (leg: PlaygroundLeg) => void;

let noted = 0;

/** A message between the two pages, which no server sees. `to` is the receiver. */
export function messageLeg(to: 'host page' | 'miniapp page', call: string, details: Readonly<Record<string, string>> = {}): PlaygroundLeg {
  noted += 1;
  const from = to === 'host page' ? 'miniapp page' : 'host page';
  return { id: `message.${String(noted)}`, at: Date.now(), from, to, call, ms: 0, attempt: 1, details };
}
