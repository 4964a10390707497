import { callBackEnd } from '../../own-back-end';
import { MiniappMenu } from './miniapp-menu';
import styles from './miniapp-screen.module.css';
import type { MiniappHost } from './open-miniapp';
import { messageLeg } from '../legs/page-legs';
import { useMiniapp } from './use-miniapp';

interface MiniappScreenProps {
  readonly host: Omit<MiniappHost, 'theme'>;
  readonly onClose: () => void;
}

const news = { event_type: 'departure.changed', payload: { text: 'Harbour says: the 09:40 leaves from pier 3' } };

/** The open miniapp, under the super app's bar. */
export function MiniappScreen({ host, onClose }: MiniappScreenProps) {
  const { frame, opened, problem } = useMiniapp(host);
  const { reference, note, showMessage } = host;
  const send = (path: string, body: object, done: string): void => {
    callBackEnd('POST', path, body).then(
      () => showMessage(done),
      (error: unknown) => showMessage(error instanceof Error ? error.message : 'That did not work'),
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
          onNews={() => send('/sandbox/events/send', news, 'The ferry shop was told')}
          onSignOut={signOut}
          onRevoke={() => send('/sandbox/consent/revoke', { reference }, 'Consent was taken back')}
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
