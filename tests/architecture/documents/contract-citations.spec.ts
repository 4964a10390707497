import { citationProblems } from './contract-citations';
import { filesIn, type SourceFile } from '../source-files';

const written = /\.(?:ts|tsx|mjs|cjs|js|sh|md|sql|css|html)$/;
const files = ['src', 'tests', 'migrations', 'docs']
  .flatMap(filesIn)
  .filter(({ path }) => written.test(path) && !path.startsWith('tests/architecture/documents/contract-citations'));

const planted = (text: string): SourceFile => ({ path: 'a.ts', text });

describe('citations of the contract', () => {
  it('lead to a heading of docs/contract', () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap(citationProblems)).toEqual([]);
  });

  it('are there', () => {
    expect(files.filter(({ text }) => /\bcontract\/[a-z-]+#/.test(text)).length).toBeGreaterThan(100);
  });

  it.each([
    ['/** Once (contract/authentication#retry-after-402). */'],
    ['/** Source: contract/no-such-page#connect. */'],
    ['// A page without a heading: contract/sign-on.'],
    ['/** The order of work (decisions §1). */'],
    ['// Decisions §2, Decimals.'],
    ['/** As stored (contract, manage.md). */'],
    ['/** Source: contract, Limits. */'],
    ['// See interface.md.'],
    ['/** Never twice (threat T45). */'],
    ["it('knows no other text (T21)', () => {});"],
    ['/** As its integration says (§5.2). */'],
  ])('are refused in a line such as "%s"', (line) => {
    expect(citationProblems(planted(`const a = 1;\n${line}\n`))).toEqual([expect.stringMatching(/^a\.ts:2: /)]);
  });

  it.each([
    ['/** One retry (contract/authentication#retry-after-401). */'],
    ['/** RFC 6749 §4.4. */'],
    ["const at = '2026-01-01T00:00:00Z';"],
    ["import { accounts } from '../../contract/accounts/accounts.contract';"],
    ["renderPage('contract/payments')"],
    ['/** The contract suite of a port. */'],
  ])('are none in "%s"', (line) => {
    expect(citationProblems(planted(line))).toEqual([]);
  });
});
