import { Menu } from '@mantine/core';
import styles from './miniapp-screen.module.css';

interface MiniappMenuProps {
  readonly onNews: () => void;
  readonly onSignOut: () => void;
  readonly onRevoke: () => void;
}

/** The host app's actions on an open miniapp. */
export function MiniappMenu({ onNews, onSignOut, onRevoke }: MiniappMenuProps) {
  return (
    <Menu position="bottom-end" radius="md" withinPortal={false}>
      <Menu.Target>
        <button type="button" className={styles.button} aria-label="What the host app can do">
          ⋯
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onNews}>Send an event to the shop</Menu.Item>
        <Menu.Item onClick={onSignOut}>Sign out of the shop</Menu.Item>
        <Menu.Item color="red" onClick={onRevoke}>
          Take consent back
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
