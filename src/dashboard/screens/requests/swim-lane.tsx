import { VisuallyHidden } from '@mantine/core';
import { useId, useState } from 'react';
import { StateBadge } from '../../parts/state-badge';
import { callWords, queueTitles, msWords, type Lane, type Step } from './request-model';
import { StepDetails } from './step-details';
import styles from './swim-lane.module.css';

const centers: Readonly<Record<Lane, number>> = { hostapp: 2, platform: 4, miniapp: 6 };

/** All lines of a timeline between the three parties, by time. Each line expands to its details. */
export function SwimLane({ steps }: { readonly steps: readonly Step[] }) {
  const first = Date.parse(steps[0]?.at ?? '');
  return (
    <div className={styles.scheme}>
      <div className={styles.head} aria-hidden>
        <span className={styles.time}>After</span>
        <div className={styles.names}>
          {(['hostapp', 'platform', 'miniapp'] as const).map((lane) => (
            <span key={lane}>{queueTitles[lane]}</span>
          ))}
        </div>
        <span />
      </div>
      <ol className={styles.list}>
        {steps.map((step, i) => (
          <StepRow
            key={`${step.at}-${String(i)}`}
            step={step}
            first={first}
            opens={step.error_code !== undefined && isLastFailure(steps, i)}
          />
        ))}
      </ol>
    </div>
  );
}

const isLastFailure = (steps: readonly Step[], i: number): boolean =>
  steps.slice(i + 1).every(({ error_code }) => error_code === undefined);

interface StepRowProps {
  readonly step: Step;
  /** Start of the first line in milliseconds since the epoch. */
  readonly first: number;
  /** Expanded from the start. */
  readonly opens: boolean;
}

function StepRow({ step, first, opens }: StepRowProps) {
  const [isOpen, setOpen] = useState(opens);
  const id = useId();
  const after = Date.parse(step.at) - first;
  return (
    <li>
      <button type="button" className={styles.step} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <span className={styles.time}>{step.kind === 'planned' ? 'planned' : `+${msWords(Math.max(0, after))}`}</span>
        <span className={styles.lanes}>
          <Arrow step={step} />
        </span>
        <span className={styles.answer}>
          {step.ms !== undefined && <span>{msWords(step.ms)}</span>}
          <Answer step={step} />
        </span>
      </button>
      <div id={id} className={styles.details} hidden={!isOpen}>
        {isOpen && <StepDetails step={step} />}
      </div>
    </li>
  );
}

function Arrow({ step: { from, to, what, attempt, kind, error_code } }: { readonly step: Step }) {
  const [start, end] = [centers[from], centers[to]];
  const tone = kind === 'planned' ? 'planned' : error_code === undefined ? 'good' : 'bad';
  const often = attempt > 1 ? ` · ${String(attempt)}` : '';
  // The service's own steps stay in its lane.
  const position =
    start === end ? { gridColumn: '3 / 6' } : { gridColumn: `${String(Math.min(start, end))} / ${String(Math.max(start, end))}` };
  return (
    <span className={styles.arrow} data-tone={tone} data-direction={end < start ? 'left' : 'right'} style={position}>
      <span className={styles.word}>
        <VisuallyHidden component="span">
          {queueTitles[from]} to {queueTitles[to]}:{' '}
        </VisuallyHidden>
        {callWords(what) + often}
      </span>
    </span>
  );
}

function Answer({ step: { kind, status, error_code, cause } }: { readonly step: Step }) {
  if (kind === 'planned') return <StateBadge tone="wait">planned</StateBadge>;
  const word = status === undefined ? (cause ?? 'no answer') : String(status);
  return (
    <StateBadge tone={error_code === undefined ? 'good' : 'bad'}>
      {status === undefined && error_code === undefined ? 'done' : word}
    </StateBadge>
  );
}
