import { useState, type CSSProperties } from 'react';
import { lanes, type PlaygroundLeg } from '../../../playground/playground-leg';
import { LegDetails } from './leg-details';
import styles from './leg-row.module.css';
import { SignedBadge } from './signed-badge';

interface LegRowProps {
  readonly leg: PlaygroundLeg;
  /** Milliseconds between the first call shown and this one. */
  readonly sinceStart: number;
}

/** A row for one call: an arrow between lanes, its answer, and expandable details. */
export function LegRow({ leg, sinceStart }: LegRowProps) {
  const [open, setOpen] = useState(false);
  const [from, to] = [lanes.indexOf(leg.from), lanes.indexOf(leg.to)];
  const message = /^AppBoxo/.test(leg.call);
  const state = leg.code === undefined ? (message ? 'message' : 'ok') : 'failed';
  const at = { '--from': Math.min(from, to), '--span': Math.abs(to - from) } as CSSProperties;
  return (
    <li className={styles.row} data-state={state} data-leg={leg.call} data-proof={leg.proof}>
      <button type="button" className={styles.line} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className={styles.time}>{timeText(sinceStart / 1000)}</span>
        <span className={styles.route}>
          {leg.from} → {leg.to}
        </span>
        <span className={styles.lanes} style={at} data-direction={from < to ? 'right' : 'left'} data-side={sideOf(from, to)}>
          <span className={styles.call}>
            {leg.proof !== undefined && <SignedBadge proof={leg.proof} />}
            {leg.call}
          </span>
          <span className={styles.arrow} />
        </span>
        <span className={styles.result}>
          {leg.attempt > 1 && <span className={styles.attempt}>try {leg.attempt}</span>}
          <span className={styles.status}>{leg.status ?? (message ? 'SDK' : '–')}</span>
          <span className={styles.ms}>{message ? '' : `${leg.ms.toFixed(0)} ms`}</span>
        </span>
      </button>
      {leg.verdict !== undefined && (
        <p className={styles.verdict}>
          <b>{leg.code}</b> {leg.verdict}
        </p>
      )}
      {open && <LegDetails leg={leg} />}
    </li>
  );
}

function timeText(seconds: number): string {
  if (seconds < 600) return `+${seconds.toFixed(seconds < 100 ? 2 : 0)} s`;
  return seconds < 5400 ? `+${(seconds / 60).toFixed(0)} min` : `+${(seconds / 3600).toFixed(1)} h`;
}

/** Places the label of an arrow where there is space: toward the middle. */
function sideOf(from: number, to: number): 'left' | 'middle' | 'right' {
  const middle = (from + to) / 2;
  if (middle < 1.8) return 'left';
  return middle > 2.6 ? 'right' : 'middle';
}
