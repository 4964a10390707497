import { ActionIcon, Badge, Burger, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconHelp, IconMoon, IconSun } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useSession } from '../api/session';
import { AccountMenu } from './account-menu';
import { BrandMark } from './brand-mark';
import { RangePicker } from './range-picker';
import { SearchBox } from './search-box';
import styles from './shell.module.css';
import { ZoneSwitch } from './zone-switch';

interface TopBarProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onHelp: () => void;
}

/** The service, the account, the search, and the time range. */
export function TopBar({ isOpen, onToggle, onHelp }: TopBarProps) {
  return (
    <div className={styles.bar}>
      <Burger
        opened={isOpen}
        onClick={onToggle}
        hiddenFrom="md"
        size="sm"
        aria-label={isOpen ? 'Close the navigation' : 'Open the navigation'}
      />
      <Link to="/" aria-label="Pierhead: overview" style={{ color: 'inherit', textDecoration: 'none' }}>
        <BrandMark nameFrom="sm" />
      </Link>
      <EnvironmentBadge />
      <SearchBox />
      <RangePicker />
      <ZoneSwitch />
      <SchemeSwitch />
      <Tooltip label="Keys" withArrow>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Keyboard help" onClick={onHelp} visibleFrom="md">
          <IconHelp size={20} />
        </ActionIcon>
      </Tooltip>
      <AccountMenu />
    </div>
  );
}

/** Test in amber and live in blue, so that nobody confuses them. */
function EnvironmentBadge() {
  const { environment } = useSession();
  const [color, word] = environment === 'live' ? ['blue', 'Live'] : ['yellow', 'Test'];
  return (
    <Badge
      color={color}
      variant="filled"
      autoContrast
      radius="sm"
      tt="none"
      aria-label={`Environment: ${word}`}
      role="img"
      style={{ flex: 'none' }}
    >
      {word}
    </Badge>
  );
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip label={`${other === 'dark' ? 'Dark' : 'Light'} colours`} withArrow>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Switch to ${other} colours`}
        onClick={() => setColorScheme(other)}
        visibleFrom="md"
      >
        {scheme === 'dark' ? <IconSun size={20} /> : <IconMoon size={20} />}
      </ActionIcon>
    </Tooltip>
  );
}
