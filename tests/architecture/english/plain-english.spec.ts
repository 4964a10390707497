import { filesIn, type SourceFile } from '../source-files';
import { turnsIn } from './plain-english';

const hasComments = /\.(?:tsx?|cjs|mjs|md|ya?ml|conf|sh)$|^\.ci\//;
/** The contract's pages keep the contract's own words; the samples are checked where they are made. */
const isLeftOut = /^docs\/(?:contract|samples)/;

const planted = (path: string, ...lines: readonly string[]): string[] => turnsIn({ path, text: lines.join('\n') });

describe('comments and documents', () => {
  it('are in plain English', () => {
    const folders = ['src', 'tests', 'migrations', 'docs', '.ci', '.github'].flatMap(filesIn);
    const top = filesIn('').filter(({ path }) => !path.includes('/'));
    const files = [...folders, ...top].filter(({ path }: SourceFile) => hasComments.test(path) && !isLeftOut.test(path));
    expect(files.length).toBeGreaterThan(1000);
    expect(files.flatMap(turnsIn)).toEqual([]);
  });

  it.each([
    ['in the place of', 'Put in the place of the old one.'],
    ['by turns', 'They are called by turns.'],
    ['is told', 'The caller is told nothing.'],
    ['of whom', 'A user of whom nothing is kept.'],
    ['of which', 'A list of which one is taken.'],
    ['who is …ed', 'Who is signed in may read.'],
    ['what is', 'Removes what is too old.'],
    ['looked at', 'The entry is looked at again.'],
    ['goes the way of', 'A drain goes the way of a stop.'],
  ])('would be found with "%s"', (_turn, sentence) => {
    expect(planted('docs/a.md', '# Title', '', sentence)).toEqual([expect.stringMatching(/^docs\/a\.md:3: /)]);
    expect(planted('src/a.ts', 'const a = 1;', `/** ${sentence} */`, 'const b = 2;')).toEqual([expect.stringMatching(/^src\/a\.ts:2: /)]);
    expect(planted('a.yaml', 'a: 1', `# ${sentence}`)).toEqual([expect.stringMatching(/^a\.yaml:2: /)]);
  });

  it('would be found where a sentence goes on in the next line', () => {
    expect(planted('src/a.ts', '/**', ' * Removes all', ' * that the caller is', ' * told of.', ' */')).toEqual([
      expect.stringMatching(/^src\/a\.ts:3: /),
    ]);
    expect(planted('src/a.ts', '// Removes what', '// is too old.')).toHaveLength(1);
  });

  it.each([
    ['a question with its subject', 'src/a.ts', '// Says what the caller sent, what a key is, and what is the right one.'],
    ['values that can be told apart', 'src/a.ts', '// The two are told apart by their ids.'],
    ['a name in code', 'src/a.ts', '// See `what is left` in the log.'],
    ['a text of the program', 'src/a.ts', "const a = 'what is left'; // The rest."],
    ['a sample', 'docs/a.md', '```sh\necho what is left\n```'],
    ['what a generator writes', 'docs/a.md', '<!-- figures -->\n\nwhat is left\n\n<!-- end of figures -->'],
    ['a sentence that is marked with its reason', 'src/a.ts', '// plain-english: a quotation.\n// "what is left"'],
  ])('may have %s', (_what, path, text) => {
    expect(planted(path, text)).toEqual([]);
  });
});
