import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconClock, IconId, IconLogout, IconMoon, IconUserCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useSession, useSignIn, type Role } from '../api/session';
import { useZone } from '../parts/use-zone';

export const roleNames: Readonly<Record<Role, string>> = { operator: 'Operator', 'host-app': 'Host app', miniapp: 'Miniapp' };

/** The signed-in account with sign-out. On narrow screens it also has the controls that do not fit into the top bar. */
export function AccountMenu() {
  const { role, app, name, account } = useSession();
  const signIn = useSignIn();
  const { toggleColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const [zone, setZone] = useZone();
  const title = [name, roleNames[role], app].filter((part) => part !== undefined).join(' · ');
  return (
    <Menu position="bottom-end" withArrow shadow="md" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Account: ${title}`}>
          <IconUserCircle size={22} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{title}</Menu.Label>
        <Menu.Item leftSection={<IconMoon size={16} />} hiddenFrom="md" onClick={() => toggleColorScheme()}>
          {scheme === 'dark' ? 'Light colours' : 'Dark colours'}
        </Menu.Item>
        <Menu.Item leftSection={<IconClock size={16} />} hiddenFrom="lg" onClick={() => setZone(zone === 'utc' ? 'local' : 'utc')}>
          {zone === 'utc' ? 'Show local times' : 'Show UTC times'}
        </Menu.Item>
        {account && (
          <Menu.Item component={Link} to="/account" leftSection={<IconId size={16} />}>
            Account and sessions
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signIn.out()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
