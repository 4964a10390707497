import { AppShell } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect } from 'react';
import { Outlet, useLocation } from 'react-router';
import { HelpDialog } from './help-dialog';
import { Navigation } from './navigation';
import styles from './shell.module.css';
import { TopBar } from './top-bar';
import { useFrameKeys } from './use-frame-keys';
import { ViewAsBar } from './view-as-bar';

/** The frame of all screens: top bar, navigation, the screen. */
export function Shell() {
  const [isOpen, drawer] = useDisclosure(false);
  const [isHelp, help] = useDisclosure(false);
  const { pathname } = useLocation();
  useFrameKeys({ onHelp: help.open });
  useEffect(() => {
    drawer.close();
    window.scrollTo(0, 0);
  }, [pathname, drawer.close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 224, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
      className={styles.shell ?? ''}
    >
      <a href="#screen" className={styles.skip}>
        Skip to the screen
      </a>
      <AppShell.Header>
        <TopBar isOpen={isOpen} onToggle={drawer.toggle} onHelp={help.open} />
      </AppShell.Header>
      <AppShell.Navbar aria-label="Screens">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="screen" tabIndex={-1} className={styles.main ?? ''}>
        <div className={styles.inner}>
          <ViewAsBar />
          <Outlet />
        </div>
      </AppShell.Main>
      <HelpDialog opened={isHelp} onClose={help.close} />
    </AppShell>
  );
}
