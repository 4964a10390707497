import { Button, Tabs } from '@mantine/core';
import type { PlaygroundLeg } from '../../../playground/playground-leg';
import { RecordsPanel } from './records-panel';
import { DialsPanel } from './dials-panel';
import { LegsPanel } from '../legs/legs-panel';
import styles from './side-panel.module.css';

interface SidePanelProps {
  readonly legs: readonly PlaygroundLeg[];
  readonly onClear: () => void;
}

/** The calls beside the phone, and the controls for faults. */
export function SidePanel({ legs, onClear }: SidePanelProps) {
  const failed = legs.filter(({ code }) => code !== undefined).length;
  return (
    <section className={styles.panel} id="calls" aria-label="Behind the phone">
      <Tabs defaultValue="legs" className={styles.tabs} keepMounted={false}>
        <Tabs.List className={styles.list}>
          <Tabs.Tab value="legs">What happens</Tabs.Tab>
          <Tabs.Tab value="books">What they hold</Tabs.Tab>
          <Tabs.Tab value="dials">Faults and time</Tabs.Tab>
          <span className={styles.count} aria-live="polite">
            {legs.length} {legs.length === 1 ? 'call' : 'calls'}
            {failed > 0 && <b>, {failed} failed</b>}
          </span>
          <Button size="compact-xs" variant="subtle" onClick={onClear} disabled={legs.length === 0}>
            Clear
          </Button>
        </Tabs.List>
        <Tabs.Panel value="legs" className={styles.body}>
          <LegsPanel legs={legs} />
        </Tabs.Panel>
        <Tabs.Panel value="books" className={styles.body}>
          <RecordsPanel />
        </Tabs.Panel>
        <Tabs.Panel value="dials" className={styles.body}>
          <DialsPanel />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}
