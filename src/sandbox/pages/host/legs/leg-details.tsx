import type { PlaygroundLeg } from '../../../playground/playground-leg';
import styles from './leg-details.module.css';

/** All facts about a call. */
export function LegDetails({ leg }: { readonly leg: PlaygroundLeg }) {
  const details = Object.entries({
    From: leg.from,
    To: leg.to,
    Began: new Date(leg.at).toISOString(),
    ...(leg.attempt > 1 && { Attempt: String(leg.attempt) }),
    ...leg.details,
  });
  return (
    <dl className={styles.facts}>
      {details.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
