import { useCallback, useEffect, useRef, useState } from 'react';
import type { PlaygroundLeg } from '../../../playground/playground-leg';
import { callBackEnd } from '../../own-back-end';
import type { NoteLeg } from './page-legs';

const everyMs = 700;

interface LegsAnswer {
  readonly data: readonly PlaygroundLeg[];
  readonly ahead_ms: number;
}

/** All legs since the page was opened or the list was cleared, by start time. */
export function useLegs(): { legs: readonly PlaygroundLeg[]; note: NoteLeg; clear: () => void } {
  const [from, setFrom] = useState(() => Date.now());
  const known = useRef(new Map<string, PlaygroundLeg>());
  /** Milliseconds by which the sandbox's clock is ahead of this machine's. */
  const aheadMs = useRef(0);
  const [legs, setLegs] = useState<readonly PlaygroundLeg[]>([]);

  const add = useCallback((more: readonly PlaygroundLeg[]) => {
    const before = known.current.size;
    for (const leg of more) known.current.set(leg.id, leg);
    if (known.current.size > before) setLegs([...known.current.values()].sort(byTime));
  }, []);
  const note = useCallback((leg: PlaygroundLeg) => add([{ ...leg, at: leg.at + aheadMs.current }]), [add]);
  const clear = useCallback(() => {
    known.current.clear();
    setLegs([]);
    setFrom(Date.now());
  }, []);

  useEffect(() => {
    let open = true;
    let timer = 0;
    const poll = async (): Promise<void> => {
      if (!document.hidden) {
        const answer = await callBackEnd<LegsAnswer>('GET', `/sandbox/legs?from=${String(from)}`).catch(() => undefined);
        if (answer) aheadMs.current = answer.ahead_ms;
        if (answer && open) add(answer.data);
      }
      if (open) timer = window.setTimeout(() => void poll(), everyMs);
    };
    void poll();
    return () => {
      open = false;
      window.clearTimeout(timer);
    };
  }, [from, add]);

  return { legs, note, clear };
}

const byTime = (a: PlaygroundLeg, b: PlaygroundLeg): number => a.at - b.at || Number(a.of !== undefined) - Number(b.of !== undefined);
