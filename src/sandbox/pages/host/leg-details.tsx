import type { PlaygroundLeg } from '../../playground-leg';
import styles from './leg-details.module.css';

/** All that is known of one call. */
export function LegDetails({ leg }: { readonly leg: PlaygroundLeg }) {
  const facts = Object.entries({
    From: leg.from,
    To: leg.to,
    Began: new Date(leg.at).toISOString(),
    ...(leg.attempt > 1 && { Attempt: String(leg.attempt) }),
    ...leg.facts,
  });
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
