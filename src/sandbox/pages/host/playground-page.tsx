import { useEffect, useState } from 'react';
import { HostPhone } from './host-phone';
import type { Flow, PlaygroundFacts } from './playground-facts';
import styles from './playground-page.module.css';
import { SidePanel } from './side-panel';
import { TopBar } from './top-bar';
import { noteUnrecordedCalls } from './unrecorded-calls';
import { useLegs } from './use-legs';

/** The whole page: the host app in a phone, and beside it what happens behind. */
export function PlaygroundPage({ facts }: { readonly facts: PlaygroundFacts }) {
  const [flow, setFlow] = useState<Flow>('code');
  const [reference, setReference] = useState(facts.users[0]?.reference ?? '');
  const { legs, note, clear } = useLegs();
  useEffect(() => noteUnrecordedCalls(facts.service, note), [facts.service, note]);
  const user = facts.users.find((one) => one.reference === reference);
  if (!user) return null;
  return (
    <div className={styles.page}>
      <TopBar facts={facts} flow={flow} reference={reference} onFlow={setFlow} onReference={setReference} />
      <main className={styles.main}>
        {/* A new phone for another user or flow: open pages belong to the one before. */}
        <HostPhone key={`${flow} ${reference}`} facts={facts} flow={flow} user={user} note={note} />
        <SidePanel legs={legs} onClear={clear} />
      </main>
      <a className={styles.jump} href="#calls">
        {legs.length} calls ↓
      </a>
    </div>
  );
}
