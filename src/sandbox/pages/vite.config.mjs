import { join } from 'node:path';
import { defineConfig } from 'vite';
import { logLevel, pageBuild } from '../../pages/vite-build.mjs';

const here = import.meta.dirname;

/** The playground's two pages, each served by the back end of the partner it belongs to. */
export default defineConfig({
  root: here,
  base: './',
  logLevel,
  build: {
    ...pageBuild,
    outDir: join(here, '../../../dist/web/playground'),
    rolldownOptions: { input: [join(here, 'host-app.html'), join(here, 'miniapp.html')] },
  },
});
