import styles from './home-screen.module.css';

/** Opens the only working miniapp. */
export function FerryFeature({ onOpen }: { readonly onOpen: () => void }) {
  return (
    <button type="button" className={styles.feature} onClick={onOpen}>
      <svg viewBox="0 0 64 40" aria-hidden="true" className={styles.ferry}>
        <path d="M6 24h52l-7 10H14z" fill="#fff" />
        <path d="M16 14h30v8H16zM22 7h14v5H22z" fill="#ffd9b0" />
        <path d="M2 37c5 0 5-3 10-3s5 3 10 3 5-3 10-3 5 3 10 3 5-3 10-3 5 3 10 3" fill="none" stroke="#8fe3dc" strokeWidth="2" />
      </svg>
      <span>
        <strong>Skerry Ferries</strong>
        Tickets to the islands. Tap to open.
      </span>
      <span aria-hidden="true" className={styles.arrow}>
        →
      </span>
    </button>
  );
}
