import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderPage } from '../../../../src/adapters/in/http/docs/docs-pages';

const table = '| Page | Covers |\n| - | - |\n| [Payments](payments.md) | orders |\n';

/** A folder of documents, gone after the test. */
function documentsOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-docs-'));
  folders.push(folder);
  for (const name of ['contract', 'guides']) mkdirSync(join(folder, name));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  return folder;
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

it('keeps no page that is not there: names that are made up take no memory', async () => {
  const folder = documentsOf({});
  expect(await renderPage(folder, 'guides/tour')).toBeUndefined();
  writeFileSync(join(folder, 'guides/tour.md'), '# The tour\n');
  expect(await renderPage(folder, 'guides/tour')).toContain('<h1 id="the-tour">');
});

it('lists the other pages of the contract beside each of them', async () => {
  const folder = documentsOf({ 'contract/README.md': `# The contract\n\n${table}`, 'contract/payments.md': '# Payments\n' });
  for (const name of ['contract', 'contract/payments']) {
    expect(await renderPage(folder, name)).toContain('<h2>Contract</h2><ul><li><a href="/docs/contract/payments">');
  }
});

it.each([
  ['payments.md#states', '/docs/contract/payments#states'],
  ['README.md#roles', '/docs/contract#roles'],
  ['../guides/tour.md', '/docs/guides/tour'],
  ['../reference/errors.md#not_found', '/docs/errors#not_found'],
  ['../adr/051-calls.md', '/docs/adr/051-calls'],
  ['../samples/vectors.json', '/docs/samples/vectors.json'],
])('leads from a page of the contract by %s to %s', async (written, shown) => {
  const folder = documentsOf({ 'contract/payments.md': `# Payments\n\nSee [there](${written}).\n` });
  expect(await renderPage(folder, 'contract/payments')).toContain(`<a href="${shown}">there</a>`);
});
