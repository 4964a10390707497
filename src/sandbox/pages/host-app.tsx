import '@mantine/core/styles.css';
import './host/page.css';
import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { PlaygroundPage } from './host/playground-page';
import { ask } from './own-back-end';
import type { PlaygroundFacts } from './host/playground-facts';
import { theme } from '../../pages/theme';

const facts = await ask<PlaygroundFacts>('GET', '/sandbox/playground');
createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider theme={theme} defaultColorScheme="auto">
    <PlaygroundPage facts={facts} />
  </MantineProvider>,
);
