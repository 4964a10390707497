import { join } from 'node:path';
import { PlantedTree, projectRoot, runTool } from './planted-tree';

interface LintedFile {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null; readonly line: number; readonly message: string }[];
}

const config = join(projectRoot, 'tests/architecture/eslint.config.mjs');

/** Problems as `path: rule`, paths from `folder`. */
async function problemsIn(folder: string, path: string): Promise<string[]> {
  const { stdout, stderr } = await runTool(folder, 'eslint', ['--config', config, '--format', 'json', path]);
  if (!stdout.startsWith('[')) throw new Error(`eslint printed no report: ${stderr}`);
  const files = JSON.parse(stdout) as LintedFile[];
  return files.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, message }) => `${filePath.slice(folder.length + 1)}: ${ruleId ?? message}`),
  );
}

const syntax = 'no-restricted-syntax';
const fortyOneLines = `export function long(): number {\n${'  Math.abs(1);\n'.repeat(40)}  return 1;\n}\n`;
const test = (body: string): string => `describe('a', () => {\n  it('b', () => {\n    ${body}\n  });\n});\n`;

const plantings: readonly (readonly [what: string, file: string, text: string, rule: string])[] = [
  ['Date.now in the domain', 'src/domain/planted/a.ts', 'export const x = Date.now();', syntax],
  ['new Date() in the domain', 'src/domain/planted/b.ts', 'export const x = new Date();', syntax],
  ['Math.random in the domain', 'src/domain/planted/c.ts', 'export const x = Math.random();', syntax],
  ['process.env outside the settings', 'src/adapters/out/x/d.ts', "export const x = process.env['A'];", 'no-restricted-properties'],
  ['process.env taken apart', 'src/adapters/out/x/e.ts', 'export const { env } = process;', 'no-restricted-properties'],
  ['process imported', 'src/adapters/out/x/f.ts', "import { env } from 'node:process';\nexport const x = env;", 'no-restricted-imports'],
  [
    'an inner file of a package',
    'src/adapters/out/x/o.ts',
    "import { Validator } from 'class-validator/cjs/validation/Validator.js';\nexport const x = Validator;",
    'no-restricted-imports',
  ],
  [
    'the type of an inner file',
    'src/adapters/out/x/p.ts',
    "import type { Agent } from '@scope/web/dist/agent';\nexport type X = Agent;",
    'no-restricted-imports',
  ],
  ['an inner file loaded later', 'src/adapters/out/x/q.ts', "export const x = import('undici/lib/core/connect.js');", syntax],
  [
    'a promise left alone',
    'src/adapters/out/x/g.ts',
    'const send = async (): Promise<void> => {};\nexport function x(): void {\n  send();\n}',
    '@typescript-eslint/no-floating-promises',
  ],
  ['any', 'src/adapters/out/x/h.ts', 'export const x = (y: any): boolean => y === 1;', '@typescript-eslint/no-explicit-any'],
  ['an assertion that asks nothing', 'src/adapters/out/x/i.ts', 'export const x = (y?: string): string => y!;', syntax],
  ['console', 'src/adapters/out/x/j.ts', "console.log('a');\nexport {};", 'no-console'],
  ['a function of over forty lines', 'src/adapters/out/x/k.ts', fortyOneLines, 'max-lines-per-function'],
  [
    'an expression that backtracks',
    'src/adapters/out/x/m.ts',
    'export const x = (y: string): boolean => /^[ab]*a*c$/.test(y);',
    'regexp/no-super-linear-backtracking',
  ],
  [
    'an expression that begins anew in a run',
    'src/adapters/out/x/n.ts',
    "export const x = (y: string): string => y.replace(/=+$/, '');",
    'regexp/no-super-linear-move',
  ],
  ['jest.mock', 'tests/unit/planted/a.spec.ts', "jest.mock('node:fs');\n", syntax],
  ['describe.only', 'tests/unit/planted/b.spec.ts', test('expect(1).toBe(1);').replace('describe', 'describe.only'), syntax],
  ['it.skip', 'tests/unit/planted/c.spec.ts', test('expect(1).toBe(1);').replace('it(', 'it.skip('), syntax],
  ['xit', 'tests/unit/planted/d.spec.ts', test('expect(1).toBe(1);').replace('it(', 'xit('), syntax],
  ['jest.fn in a unit test', 'tests/unit/planted/e.spec.ts', test('expect(jest.fn()).toBeDefined();'), syntax],
  [
    'a needless eslint-disable',
    'src/adapters/out/x/l.ts',
    '// eslint-disable-next-line no-console\nexport const x = 1;',
    'Unused eslint-disable directive',
  ],
];

/** What the rules must let through. */
const allowed: Readonly<Record<string, string>> = {
  'src/adapters/out/x/packages.ts':
    "import { createRoot } from 'react-dom/client';\nimport type { Lib } from './lib/own';\nexport const x: [typeof createRoot, Lib?] = [createRoot];\n",
  'src/adapters/out/x/lib/own.ts': 'export type Lib = string;\n',
  'src/domain/planted/ok.ts': 'export const day = (at: number): string => new Date(at).toISOString();\n',
  'src/config/settings.ts': "export const port = process.env['PORT'];\n",
  'src/adapters/out/x/ok.ts':
    'export const first = (xs: readonly number[]): number => xs[0]!;\nexport class Kept {\n  async keep(): Promise<number> {\n    return 1;\n  }\n}\n',
  'tests/unit/planted/ok.spec.ts': `const there = process.argv.length > 1;\nconst onPostgres = there ? describe : describe.skip;\nonPostgres('a', () => undefined);\n`,
};

describe('the lint', () => {
  const planted = new PlantedTree({ ...allowed, ...Object.fromEntries(plantings.map(([, file, text]) => [file, text])) }, [
    'tests/tsconfig.json',
    'src/domain/tsconfig.json',
    'src/domain/globals.d.ts',
  ]);
  let caught: readonly string[];
  beforeAll(async () => {
    caught = await problemsIn(planted.folder, '.');
  }, 120_000);
  afterAll(() => {
    planted.remove();
  });

  it.each(plantings)('catches %s', (_what, file, _text, rule) => {
    expect(caught.filter((problem) => problem.startsWith(`${file}: ${rule}`))).not.toEqual([]);
  });

  it('lets allowed code pass', () => {
    expect(caught.filter((problem) => Object.keys(allowed).some((file) => problem.startsWith(file)))).toEqual([]);
  });
});
