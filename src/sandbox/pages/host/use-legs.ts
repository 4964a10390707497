import { useCallback, useEffect, useRef, useState } from 'react';
import type { PlaygroundLeg } from '../../playground-leg';
import { ask } from '../own-back-end';
import type { NoteLeg } from './page-legs';

const everyMs = 700;

/** All legs since the page was opened or the list was cleared, in the order in which they began. */
export function useLegs(): { legs: readonly PlaygroundLeg[]; note: NoteLeg; clear: () => void } {
  const [from, setFrom] = useState(() => Date.now());
  const known = useRef(new Map<string, PlaygroundLeg>());
  const [legs, setLegs] = useState<readonly PlaygroundLeg[]>([]);

  const add = useCallback((more: readonly PlaygroundLeg[]) => {
    const before = known.current.size;
    // A leg keeps the time at which it was first seen: time that is let pass must not move it.
    for (const leg of more) known.current.set(leg.id, { ...leg, at: known.current.get(leg.id)?.at ?? leg.at });
    if (known.current.size > before) setLegs([...known.current.values()].sort(byTime));
  }, []);
  const note = useCallback((leg: PlaygroundLeg) => add([leg]), [add]);
  const clear = useCallback(() => {
    known.current.clear();
    setLegs([]);
    setFrom(Date.now());
  }, []);

  useEffect(() => {
    let open = true;
    let timer = 0;
    const look = async (): Promise<void> => {
      if (!document.hidden) {
        const { data } = await ask<{ data: PlaygroundLeg[] }>('GET', `/sandbox/legs?from=${String(from)}`).catch(() => ({ data: [] }));
        if (open) add(data);
      }
      if (open) timer = window.setTimeout(() => void look(), everyMs);
    };
    void look();
    return () => {
      open = false;
      window.clearTimeout(timer);
    };
  }, [from, add]);

  return { legs, note, clear };
}

const byTime = (a: PlaygroundLeg, b: PlaygroundLeg): number => a.at - b.at || Number(a.of !== undefined) - Number(b.of !== undefined);
