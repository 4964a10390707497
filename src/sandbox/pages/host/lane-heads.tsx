import { lanes } from '../../playground-leg';
import styles from './legs-panel.module.css';

/** Who takes part, above the lanes; each call says it again in words for those who do not see them. */
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
