import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { openMiniapp, type MiniappHost, type OpenMiniapp } from './open-miniapp';

/** Opens the miniapp once, closes it with the screen, and passes on changes of the colour scheme. */
export function useMiniapp(host: Omit<MiniappHost, 'theme'>) {
  const frame = useRef<HTMLDivElement>(null);
  const opened = useRef<OpenMiniapp>(undefined);
  const [problem, setProblem] = useState('');
  const theme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const first = useRef({ ...host, theme });

  useEffect(() => {
    let open = true;
    if (!frame.current) return undefined;
    openMiniapp(frame.current, first.current).then(
      (miniapp) => {
        opened.current = miniapp;
        if (!open) miniapp.close();
      },
      (error: unknown) => setProblem(error instanceof Error ? error.message : 'The miniapp could not be opened'),
    );
    return () => {
      open = false;
      opened.current?.close();
    };
  }, []);
  useEffect(() => opened.current?.sdk.setTheme(theme), [theme]);
  return { frame, opened, problem };
}
