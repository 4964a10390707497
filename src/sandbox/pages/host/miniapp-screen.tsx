import { ask } from '../own-back-end';
import { MiniappMenu } from './miniapp-menu';
import styles from './miniapp-screen.module.css';
import type { MiniappHost } from './open-miniapp';
import { messageLeg } from './page-legs';
import { useMiniapp } from './use-miniapp';

interface MiniappScreenProps {
  readonly host: Omit<MiniappHost, 'theme'>;
  readonly onClose: () => void;
}

const news = { event_type: 'departure.changed', payload: { text: 'Harbour says: the 09:40 leaves from pier 3' } };

/** The miniapp inside the super app, under the bar that every miniapp gets. */
export function MiniappScreen({ host, onClose }: MiniappScreenProps) {
  const { frame, opened, problem } = useMiniapp(host);
  const { reference, note, say } = host;
  const tell = (path: string, body: object, done: string): void => {
    ask('POST', path, body).then(
      () => say(done),
      (error: unknown) => say(error instanceof Error ? error.message : 'That did not work'),
    );
  };
  const signOut = (): void => {
    opened.current?.sdk.logout();
    note(messageLeg('miniapp page', 'AppBoxoWebAppLogout'));
  };
  return (
    <div className={styles.screen}>
      <div className={styles.bar}>
        <button type="button" className={styles.button} aria-label="Close the miniapp" onClick={onClose}>
          ✕
        </button>
        <span className={styles.name}>Skerry Ferries</span>
        <MiniappMenu
          onNews={() => tell('/sandbox/events/send', news, 'The ferry shop was told')}
          onSignOut={signOut}
          onRevoke={() => tell('/sandbox/consent/revoke', { reference }, 'Consent was taken back')}
        />
      </div>
      {problem !== '' && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div ref={frame} className={styles.frame} />
    </div>
  );
}
