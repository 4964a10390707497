import { Notification, Portal, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useEffect, useSyncExternalStore } from 'react';
import { requestIdOf } from '../api/problem';
import styles from './notices.module.css';

interface Notice {
  readonly tone: 'good' | 'bad';
  readonly text: string;
  /** An error, whose request id is shown. */
  readonly error?: unknown;
}

const shownMs = { good: 5000, bad: 15_000 };
let notices: readonly (Notice & { readonly id: number })[] = [];
let last = 0;
const listeners = new Set<() => void>();

const change = (changed: typeof notices): void => {
  notices = changed;
  for (const listener of listeners) listener();
};
const remove = (id: number): void => change(notices.filter((one) => one.id !== id));

/** Shows a notice for a few seconds. */
export function notify(notice: Notice): void {
  change([...notices.slice(-2), { ...notice, id: ++last }]);
}

/** Shows the notices; mounted once per page. */
export function Notices() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => notices,
  );
  return (
    <Portal>
      <div className={styles.region} role="status" aria-live="polite">
        {shown.map((notice) => (
          <Shown key={notice.id} {...notice} />
        ))}
      </div>
    </Portal>
  );
}

function Shown({ id, tone, text, error }: Notice & { readonly id: number }) {
  useEffect(() => {
    const timer = setTimeout(() => remove(id), shownMs[tone]);
    return () => clearTimeout(timer);
  }, [id, tone]);
  const requestId = requestIdOf(error);
  return (
    <Notification
      withBorder
      color={tone === 'good' ? 'teal' : 'red'}
      icon={tone === 'good' ? <IconCheck size={18} /> : <IconAlertTriangle size={18} />}
      onClose={() => remove(id)}
      closeButtonProps={{ 'aria-label': 'Dismiss' }}
    >
      <Text size="sm">{text}</Text>
      {requestId !== undefined && (
        <Text size="xs" c="dimmed" ff="monospace">
          Request {requestId}
        </Text>
      )}
    </Notification>
  );
}
