import { join } from 'node:path';
import { defineConfig } from 'vite';
import { logLevel, pageBuild } from '../pages/vite-build.mjs';

const here = import.meta.dirname;

/** The dashboard: one page, a file for each screen, the charts in a file of their own. */
export default defineConfig({
  root: here,
  base: '/dashboard/',
  logLevel,
  build: { ...pageBuild, outDir: join(here, '../../dist/web/dashboard') },
});
