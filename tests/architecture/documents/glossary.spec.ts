import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../support/documents/documents';
import { projectRoot } from '../planted-tree';
import { filesIn } from '../source-files';

/** A row of the glossary. */
interface Entry {
  readonly term: string;
  readonly where: string;
  readonly inCode: string;
}

const entriesIn = (text: string): Entry[] =>
  [...text.matchAll(/^\| (?!Term |-)(.+?) *\| .+? *\| (.+?) *\| (.*?) *\|$/gm)].map(([, term = '', where = '', inCode = '']) => ({
    term,
    where,
    inCode,
  }));
const quotedIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted);

/** Paths that are not there, and names that no file under src has; `…` stands for any letters, as does `*` for any name. */
function problemsOf({ term, where, inCode }: Entry, code: string): string[] {
  const paths = quotedIn(where).filter((path) => path.includes('/') && !path.includes('*') && !existsSync(join(projectRoot, 'src', path)));
  const names = quotedIn(inCode).filter((name) => !code.includes(name.replace('…', '')));
  return [...paths, ...names].map((missing) => `${term}: ${missing}`);
}

describe('the glossary', () => {
  const entries = entriesIn(textOf('docs/glossary.md'));
  const code = filesIn('src')
    .map(({ path, text }) => `${path}\n${text}`)
    .join('\n');

  it('names files and words that the code has', () => {
    expect(entries.length).toBeGreaterThan(50);
    expect(entries.flatMap((entry) => problemsOf(entry, code))).toEqual([]);
  });

  it('has each term once', () => {
    const terms = entries.flatMap(({ term }) => term.split(', '));
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
  });

  it.each([
    ['a file that is gone', '| lease | A claim. | `domain/leases.ts` |  |', 'lease: domain/leases.ts'],
    ['a name that is gone', '| lease | A claim. | `domain` | `Lea' + 'seVault` |', 'lease: Lea' + 'seVault'],
  ])('would be refused with %s', (_what, row, problem) => {
    expect(entriesIn(row).flatMap((entry) => problemsOf(entry, code))).toEqual([problem]);
  });
});
