import { lanes } from '../../../playground/playground-leg';
import styles from './legs-panel.module.css';

/** Names of the participants above the lanes. Hidden from screen readers, because each call names them again. */
export function LaneHeads() {
  return (
    <div className={styles.head} aria-hidden="true">
      <span />
      <div className={styles.lanes}>
        {lanes.map((lane) => (
          <span key={lane} className={styles.lane} data-ours={lane === 'Pierhead'}>
            {lane}
          </span>
        ))}
      </div>
    </div>
  );
}
