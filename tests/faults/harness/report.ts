import { readFileSync, writeFileSync } from 'node:fs';
import { figuresAsText, keptFigures, pageFile, pageWith } from './reliability-page';

// Run by `npm run report:reliability`: docs/reliability.md from what long runs have left.

it('writes the figures of long runs into the page', () => {
  const figures = keptFigures();
  writeFileSync(pageFile, pageWith(readFileSync(pageFile, 'utf8'), figuresAsText(figures)));
  process.stdout.write(`${figures.length} figures\n`);
});
