import { readFileSync } from 'node:fs';
import { figuresAsText, keptFigures, pageFile, pageWith } from '../../faults/harness/reliability-page';

const page = readFileSync(pageFile, 'utf8');

it('the page shows the numbers of long runs, as `npm run report:reliability` writes them', () => {
  expect(pageWith(page, figuresAsText(keptFigures()))).toBe(page);
});

it('the page would be refused with another figure in it', () => {
  const better = { id: 'R1', counts: { acknowledged: 1_000_000, stillPending: 0 }, seed: 1, seconds: 2, day: '2026-01-01' } as const;
  const text = figuresAsText([...keptFigures(), better]);
  expect(text).toContain('acknowledged 1,000,000, still pending 0');
  // The one before is kept, beside the promises.
  expect(text.indexOf('acknowledged 1,000,000')).toBeLessThan(text.indexOf('## Runs before the last'));
  expect(pageWith(page, text)).not.toBe(page);
});
