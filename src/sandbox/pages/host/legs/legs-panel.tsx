import { useEffect, useRef } from 'react';
import type { PlaygroundLeg } from '../../../playground/playground-leg';
import { LaneHeads } from './lane-heads';
import { LegRow } from './leg-row';
import styles from './legs-panel.module.css';

/** All calls by start time as a sequence diagram; scrolls to the newest. */
export function LegsPanel({ legs }: { readonly legs: readonly PlaygroundLeg[] }) {
  const list = useRef<HTMLOListElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    if (atEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [legs.length]);
  const start = legs[0]?.at ?? 0;
  return (
    <div className={styles.panel}>
      <LaneHeads />
      {legs.length === 0 ? (
        <div className={styles.empty}>
          <strong>Nothing yet</strong>
          Open Skerry Ferries on the phone, sign in and buy a ticket. Every call appears here as it happens: who called whom, what came
          back, how long it took, and who has to act where it fails.
        </div>
      ) : (
        <ol
          ref={list}
          className={styles.list}
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
            atEnd.current = scrollHeight - scrollTop - clientHeight < 60;
          }}
        >
          {legs.map((leg) => (
            <LegRow key={leg.id} leg={leg} sinceStart={leg.at - start} />
          ))}
        </ol>
      )}
    </div>
  );
}
