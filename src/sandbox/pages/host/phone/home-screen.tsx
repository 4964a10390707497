import { appTiles } from './app-tiles';
import { FerryFeature } from './ferry-feature';
import { LatelyList } from '../panel/lately-list';
import styles from './home-screen.module.css';
import type { Profile } from '../playground-settings';

interface HomeScreenProps {
  readonly user: Profile;
  /** Opens the only working miniapp. */
  readonly onOpen: () => void;
}

/** The super app's home screen: a wallet, and the miniapps. */
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
      <LatelyList />
      <p className={styles.hint}>Only Skerry Ferries opens; the rest is scenery.</p>
    </div>
  );
}
