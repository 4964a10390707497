import styles from './signed-badge.module.css';

/** Marks a call as signed and names the algorithm. */
export function SignedBadge({ proof }: { readonly proof: string }) {
  return <span className={styles.badge}>{proof}</span>;
}
