import { readFileSync, writeFileSync } from 'node:fs';
import { figuresFile } from './fault-run';
import { figuresAsText, lastFigures, pageFile, pageWith } from './reliability-page';

// Run by `npm run report:reliability`: docs/reliability.md from what the last long runs have left.

it('writes the figures of the last long runs into the page', () => {
  const figures = lastFigures();
  writeFileSync(figuresFile, figures.map((figure) => `${JSON.stringify(figure)}\n`).join(''));
  writeFileSync(pageFile, pageWith(readFileSync(pageFile, 'utf8'), figuresAsText(figures)));
  process.stdout.write(`${figures.length} figures\n`);
});
