import '@mantine/core/styles.css';
import './host/page.css';
import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { PlaygroundPage } from './host/playground-page';
import { callBackEnd } from './own-back-end';
import type { PlaygroundSettings } from './host/playground-settings';
import { theme } from '../../pages/theme';

const settings = await callBackEnd<PlaygroundSettings>('GET', '/sandbox/playground');
createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider theme={theme} defaultColorScheme="auto">
    <PlaygroundPage settings={settings} />
  </MantineProvider>,
);
