import { NavLink } from 'react-router';
import { useSession } from '../api/session';
import { useRangeSearch } from '../parts/range/use-range';
import { screensOf, type Screen } from '../screens';
import styles from './shell.module.css';

const groups = ['Traffic', 'Partners', 'Tools', 'Service'] as const;

/** Links to the screens of this role, grouped by heading. They keep the time range. */
export function Navigation() {
  const { role, viewAs } = useSession();
  const mine = screensOf(viewAs?.role ?? role);
  return (
    <div className={styles.rail}>
      {groups.map((group) => {
        const links = mine.filter((screen) => screen.group === group);
        return links.length === 0 ? null : (
          <div key={group} role="group" aria-label={group}>
            <div className={styles.group} aria-hidden="true">
              {group}
            </div>
            {links.map((screen) => (
              <ScreenLink key={screen.path} screen={screen} />
            ))}
          </div>
        );
      })}
    </div>
  );
}

function ScreenLink({ screen: { path, title, icon: Mark } }: { readonly screen: Screen }) {
  const range = useRangeSearch();
  return (
    <NavLink to={`${path}${range}`} end={path === '/'} className={styles.link ?? ''}>
      <Mark size={18} stroke={1.7} aria-hidden />
      {title}
    </NavLink>
  );
}
