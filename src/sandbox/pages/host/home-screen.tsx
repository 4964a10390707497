import { appTiles } from './app-tiles';
import { FerryFeature } from './ferry-feature';
import styles from './home-screen.module.css';
import type { Profile } from './playground-facts';

interface HomeScreenProps {
  readonly user: Profile;
  /** Opens the one miniapp that is there. */
  readonly onOpen: () => void;
}

const lately = [
  ['Bakery', 'Today, 08:12', '−6.40'],
  ['Bikes', 'Yesterday', '−3.00'],
  ['Top-up', 'Monday', '+100.00'],
] as const;

/** The first screen of the super app: a wallet, and the miniapps. */
export function HomeScreen({ user, onOpen }: HomeScreenProps) {
  return (
    <div className={styles.home}>
      <div className={styles.hero}>
        <p className={styles.hello}>
          Good day, <strong>{user.first_name}</strong>
        </p>
        <div className={styles.wallet}>
          <span>Harbour Wallet</span>
          <strong>USD 248.60</strong>
          <small>{user.tier} member</small>
        </div>
      </div>
      <FerryFeature onOpen={onOpen} />
      <h2 className={styles.heading}>Miniapps</h2>
      <ul className={styles.grid}>
        {appTiles.map(({ name, colour, path }) => (
          <li key={name} className={styles.tile}>
            <span className={styles.icon} data-colour={colour}>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d={path} />
              </svg>
            </span>
            {name}
          </li>
        ))}
      </ul>
      <h2 className={styles.heading}>Lately</h2>
      <ul className={styles.lately}>
        {lately.map(([what, when, sum]) => (
          <li key={what}>
            <span>
              {what}
              <small>{when}</small>
            </span>
            {sum}
          </li>
        ))}
      </ul>
      <p className={styles.hint}>Only Skerry Ferries opens; the rest is scenery.</p>
    </div>
  );
}
