import { decisionOf, indexedIn, type Decision } from './decisions';
import { filesIn } from '../source-files';

const index = 'docs/adr/README.md';
const pages = filesIn('docs/adr').filter(({ path }) => path !== index);
const text = filesIn('docs/adr').find(({ path }) => path === index)?.text ?? '';

const planted = (lines: readonly string[]): Decision => decisionOf({ path: 'docs/adr/007-a.md', text: lines.join('\n') });

describe('the decisions', () => {
  it('have a number, a title and a status each', () => {
    expect(pages.length).toBeGreaterThan(60);
    expect(pages.map(decisionOf).filter(({ status }) => status === undefined)).toEqual([]);
  });

  it('are in the index with their titles and statuses', () => {
    expect(indexedIn(text)).toEqual(pages.map(decisionOf).sort((a, b) => a.number.localeCompare(b.number)));
  });

  it.each([
    ['no status', ['# 007. Secrets', '', '## Context']],
    ['a status without a date', ['# 007. Secrets', '', 'Status: accepted']],
    ['a successor that is not named', ['# 007. Secrets', '', 'Status: superseded, 2026-11-26']],
    ['a word of its own', ['# 007. Secrets', '', 'Status: reshaped, 2026-11-26']],
  ])('would be found with %s', (_what, lines) => {
    expect(planted(lines).status).toBeUndefined();
  });

  it('would be found with another number than the file has', () => {
    expect(planted(['# 008. Secrets', '', 'Status: accepted, 2026-11-26']).title).toBeUndefined();
  });

  it('name the decision that supersedes them', () => {
    expect(planted(['# 007. Secrets', '', 'Status: superseded by [009](009-b.md), 2026-11-26. It was slow.'])).toEqual({
      number: '007',
      title: 'Secrets',
      status: 'superseded by 009, 2026-11-26',
    });
  });
});
