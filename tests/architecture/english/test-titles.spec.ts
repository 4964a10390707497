import { filesIn } from '../source-files';
import { maxTitleLength, titleProblems, titlesIn } from './test-titles';

const planted = (text: string) => ({ path: 'tests/planted.spec.ts', text });
const longest = 'a'.repeat(maxTitleLength);

describe('titles of tests', () => {
  it('have at most 90 characters', () => {
    const files = filesIn('tests').filter(({ path }) => /\.tsx?$/.test(path));
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap(titleProblems)).toEqual([]);
  });

  it.each([
    ['it', (title: string) => `it('${title}', () => undefined);`],
    ['test', (title: string) => `test("${title}", () => undefined);`],
    ['it.skip', (title: string) => `it.skip('${title}', () => undefined);`],
    ['it.each', (title: string) => `it.each([1])('${title}', () => undefined);`],
    ['it.each with a template of rows', (title: string) => `it.each\`a\n\${1}\`('${title}', () => undefined);`],
    ['a template literal', (title: string) => `it(\`\${a}${title.slice(4)}\`, () => undefined);`],
    ['two strings', (title: string) => `it('a' + '${title.slice(1)}', () => undefined);`],
  ])('are found too long in %s', (_how, written) => {
    expect(titleProblems(planted(written(longest)))).toEqual([]);
    expect(titleProblems(planted(`\n${written(`${longest}a`)}`))).toEqual([
      expect.stringMatching(new RegExp(`^tests/planted\\.spec\\.ts:[23]: ${String(maxTitleLength + 1)}$`)),
    ]);
  });

  it.each(['describe', 'test.db.query', 'visit'])('are not the arguments of %s', (name) => {
    expect(titlesIn(planted(`${name}('${longest}a', () => undefined);`))).toEqual([]);
  });
});
