import { useEffect, useState } from 'react';
import { HostPhone } from './phone/host-phone';
import type { Flow, PlaygroundSettings } from './playground-settings';
import styles from './playground-page.module.css';
import { SidePanel } from './panel/side-panel';
import { TopBar } from './top-bar';
import { noteUnrecordedCalls } from './panel/unrecorded-calls';
import { useLegs } from './legs/use-legs';

/** The whole page: the host app in a phone, and the calls beside it. */
export function PlaygroundPage({ settings }: { readonly settings: PlaygroundSettings }) {
  const [flow, setFlow] = useState<Flow>('code');
  const [reference, setReference] = useState(settings.users[0]?.reference ?? '');
  const { legs, note, clear } = useLegs();
  useEffect(() => noteUnrecordedCalls(settings.service, note), [settings.service, note]);
  const user = settings.users.find((one) => one.reference === reference);
  if (!user) return null;
  return (
    <div className={styles.page}>
      <TopBar settings={settings} flow={flow} reference={reference} onFlow={setFlow} onReference={setReference} />
      <main className={styles.main}>
        {/* A new phone for another user or flow: open pages belong to the one before. */}
        <HostPhone key={`${flow} ${reference}`} settings={settings} flow={flow} user={user} note={note} />
        <SidePanel legs={legs} onClear={clear} />
      </main>
      <a className={styles.jump} href="#calls">
        {legs.length} calls ↓
      </a>
    </div>
  );
}
