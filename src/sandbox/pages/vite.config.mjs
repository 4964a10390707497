import { join } from 'node:path';
import { defineConfig } from 'vite';

const here = import.meta.dirname;

/** The playground's two pages, each served by the back end of the partner it belongs to. Nothing is inlined: their CSP takes files only. */
export default defineConfig({
  root: here,
  base: './',
  // Mantine marks each file for React's server; a page of its own has no use for the marks, nor for 500 warnings about them.
  logLevel: 'error',
  build: {
    outDir: join(here, '../../../dist/web/playground'),
    emptyOutDir: true,
    // What knows light-dark() and container queries: every browser of the last two years.
    target: ['chrome125', 'edge125', 'firefox126', 'safari17.5'],
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: [join(here, 'host-app.html'), join(here, 'miniapp.html')] },
  },
});
