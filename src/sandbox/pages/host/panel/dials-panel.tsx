import { Button } from '@mantine/core';
import { useState } from 'react';
import { callBackEnd } from '../../own-back-end';
import { ClockCard } from './clock-card';
import { DialsCard } from './dials-card';
import styles from './panel-cards.module.css';

/** Controls for faults of the two back ends and for the clock. */
export function DialsPanel() {
  const [version, setVersion] = useState(0);
  const reset = async (): Promise<void> => {
    await callBackEnd('POST', '/sandbox/reset');
    await callBackEnd('POST', '/sandbox/miniapp/reset');
    setVersion(version + 1);
  };
  return (
    <div className={styles.panel}>
      <p className={styles.lead}>
        What the two back ends do to Pierhead&rsquo;s calls. The pages around them stay well, so every failure that you see came through.
      </p>
      <div className={styles.cards}>
        <DialsCard key={`host ${String(version)}`} title="Host app" path="/sandbox/dials" />
        <DialsCard key={`miniapp ${String(version)}`} title="Miniapp" path="/sandbox/miniapp/dials" />
        <ClockCard key={`clock ${String(version)}`} />
      </div>
      <Button variant="default" size="xs" onClick={() => void reset()}>
        Put all dials to 0 and empty the books
      </Button>
    </div>
  );
}
