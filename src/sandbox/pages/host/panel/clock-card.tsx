import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { callBackEnd } from '../../own-back-end';
import styles from './panel-cards.module.css';

interface ClockView {
  readonly advanced_s: number;
  readonly next?: { readonly what: string; readonly in_s: number };
}

const steps = [
  { label: 'To the next event', body: { to: 'next' } },
  { label: '+ 1 min', body: { seconds: 60 } },
  { label: '+ 6 h', body: { seconds: 21_600 } },
  { label: '+ 7 days', body: { seconds: 604_800 } },
] as const;

/** Advances time, so that a schedule of days can be watched in seconds. */
export function ClockCard() {
  const [clock, setClock] = useState<ClockView>();
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const fail = (error: unknown): void => setMessage(error instanceof Error ? error.message : 'The clock did not answer');
  const load = useCallback(() => callBackEnd<ClockView>('GET', '/sandbox/clock').then(setClock, fail), []);
  useEffect(() => {
    void load();
    const timer = window.setInterval(() => void load(), 2000);
    return () => window.clearInterval(timer);
  }, [load]);
  const advance = async (body: object): Promise<void> => {
    setBusy(true);
    await callBackEnd<{ readonly steps: readonly unknown[] }>('POST', '/sandbox/clock/advance', body).then(
      ({ steps: taken }) => setMessage(`${String(taken.length)} ${taken.length === 1 ? 'thing' : 'things'} fell due on the way.`),
      fail,
    );
    await load();
    setBusy(false);
  };
  return (
    <div className={styles.card}>
      <h3>Clock</h3>
      <p className={styles.note}>
        {clock && clock.advanced_s > 0 ? `${inWords(clock.advanced_s)} ahead of the machine. ` : ''}
        {clock?.next ? `Next: ${clock.next.what} in ${inWords(Math.max(0, clock.next.in_s))}.` : 'Nothing waits for its time.'}
      </p>
      <div className={styles.buttons}>
        {steps.map(({ label, body }) => (
          <Button key={label} size="compact-sm" variant="light" loading={busy} onClick={() => void advance(body)}>
            {label}
          </Button>
        ))}
      </div>
      <p className={styles.note} role="status">
        {message}
      </p>
    </div>
  );
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds.toFixed(0)} s`;
  if (seconds < 5400) return `${(seconds / 60).toFixed(0)} min`;
  return seconds < 129_600 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} days`;
}
