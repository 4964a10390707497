import { filesIn, type SourceFile } from './source-files';

// Written in pieces, so that this file does not hold what it looks for.
const folders = ['work', 'root', 'home/[a-z_][\\w-]*', 'Users/[A-Za-z][\\w-]*'].map((folder) => `(?<![\\w.~$}:/-])/${folder}(?:/|\\b)`);
const hosts = [
  'registry\\.npmjs\\.' + 'org',
  'npm\\.pkg\\.github\\.' + 'com',
  '[a-z0-9-]*(?:artifactory|nexus|verdaccio)[a-z0-9-]*\\.[a-z]',
];

const foreign = new RegExp([...folders, ...hosts.map((host) => `\\b${host}`)].join('|'));

/** Lines that tell of the machine where the project was written, or of where its packages came from. */
function foreignLines({ path, text }: SourceFile): string[] {
  return text.split('\n').flatMap((line, index) => (foreign.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`] : []));
}

describe('the published files', () => {
  it('speaks of the project alone', () => {
    const files = filesIn('');
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap(foreignLines)).toEqual([]);
  });

  it.each([
    ['see /wo' + 'rk/main/src'],
    ["cwd: '/ro" + "ot/.npmrc'"],
    ['/ho' + 'me/node/app'],
    ['https://registry.npmjs.' + 'org/pg'],
    ['https://nexus.' + 'example.com/repository'],
  ])('would be refused with a line such as "%s"', (text) => {
    expect(foreignLines({ path: 'a.md', text })).toHaveLength(1);
  });

  it.each([['src/work/queue.ts'], ['https://partner.example/work/orders'], ['${base}/root/'], ['the root/top of the tree']])(
    'may say "%s"',
    (text) => {
      expect(foreignLines({ path: 'a.md', text })).toEqual([]);
    },
  );
});
