import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A screen of the dashboard: its path, and the name of its pictures. */
export interface ScreenPath {
  readonly path: string;
  readonly name: string;
}

/** Every screen of `src/dashboard/screens.ts`, read as text: the file is the browser's. */
export function screenPaths(): ScreenPath[] {
  const text = readFileSync(join(__dirname, '../../../src/dashboard/screens.ts'), 'utf8');
  return [...text.matchAll(/path: '(\/[^']*)'/g)].map(([, path = '']) => ({ path, name: nameOf(path) }));
}

/** `/` is the overview; a screen of one record has `-detail` behind the name of its list. */
function nameOf(path: string): string {
  const [first = '', ...rest] = path.split('/').filter((part) => part !== '');
  if (first === '') return 'overview';
  if (rest.includes(':kind')) return `${first}-timeline`;
  return rest.some((part) => part.startsWith(':')) ? `${first}-detail` : [first, ...rest].join('-');
}
