import { ActionIcon, NativeSelect, SegmentedControl, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import type { Flow, PlaygroundSettings } from './playground-settings';
import styles from './top-bar.module.css';

interface TopBarProps {
  readonly settings: PlaygroundSettings;
  readonly flow: Flow;
  readonly reference: string;
  readonly onFlow: (flow: Flow) => void;
  readonly onReference: (reference: string) => void;
}

const flows = [
  { value: 'code', label: 'Auth code' },
  { value: 'direct', label: 'Direct' },
];

/** Selects the user, the sign-on flow and the colour scheme. */
export function TopBar({ settings, flow, reference, onFlow, onReference }: TopBarProps) {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <header className={styles.bar}>
      <div className={styles.brand}>
        <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" fill="#0b5b6e" />
          <path d="M7 20h18M16 6v14M16 8l7 9h-7" className={styles.mast} />
          <path d="M7 25c3 0 3-2 6-2s3 2 6 2 3-2 6-2" className={styles.wave} />
        </svg>
        <h1 className={styles.title}>
          Pierhead <span className={styles.sub}>playground</span>
        </h1>
      </div>
      <p className={styles.lead}>A host app, a miniapp and the real SDKs, on this machine. Nothing leaves it.</p>
      <div className={styles.choices}>
        <label className={styles.choice}>
          <span>User</span>
          <NativeSelect
            size="xs"
            value={reference}
            onChange={(event) => onReference(event.currentTarget.value)}
            data={settings.users.map((user) => ({ value: user.reference, label: `${user.first_name} ${user.last_name}` }))}
          />
        </label>
        <div className={styles.choice} role="group" aria-label="How the user is signed on">
          <span>Sign-on</span>
          <SegmentedControl size="xs" data={flows} value={flow} onChange={(value) => onFlow(value as Flow)} />
        </div>
        <ActionIcon variant="default" size="md" aria-label={`Switch to ${other} colours`} onClick={() => setColorScheme(other)}>
          {scheme === 'dark' ? '☀' : '☾'}
        </ActionIcon>
      </div>
    </header>
  );
}
