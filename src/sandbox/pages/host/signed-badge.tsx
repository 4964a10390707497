import styles from './signed-badge.module.css';

/** Says of a call that it is signed, and with what. */
export function SignedBadge({ proof }: { readonly proof: string }) {
  return <span className={styles.badge}>{proof}</span>;
}
