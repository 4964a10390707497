import { PlantedTree, projectRoot, runTool } from './planted-tree';

/** One use of something that only some hosts of JavaScript have, in a file of its own. */
const plantings: readonly (readonly [global: string, use: string])[] = [
  ['Buffer', "export const x = Buffer.from('a');"],
  ['process', 'export const x = process.env;'],
  ['console', "console.log('a');\nexport {};"],
  ['setTimeout', 'setTimeout(() => undefined, 1);\nexport {};'],
  ['fetch', "export const x = fetch('https://partner.example');"],
  ['performance', 'export const x = performance.now();'],
  ['crypto', 'export const x = crypto.randomUUID();'],
  ['AbortSignal', 'export const x = AbortSignal.timeout(1);'],
  ['document', 'export const x = document.title;'],
  ['require', "export const x = require('fs');"],
];

const fileOf = (global: string): string => `src/domain/planted/${global}.ts`;

describe('the globals of the domain', () => {
  const planted = new PlantedTree(Object.fromEntries(plantings.map(([global, use]) => [fileOf(global), use])), ['src/domain']);
  let caught: readonly string[];
  beforeAll(async () => {
    const { stdout } = await runTool(planted.folder, 'tsc', ['-p', 'src/domain', '--pretty', 'false']);
    caught = stdout.split('\n').filter((line) => line.includes('error TS'));
  }, 120_000);
  afterAll(() => {
    planted.remove();
  });

  it('are enough for the source', async () => {
    const { code, stdout } = await runTool(projectRoot, 'tsc', ['-p', 'src/domain', '--pretty', 'false']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  }, 120_000);

  it.each(plantings)('do not hold %s', (global) => {
    expect(caught.filter((line) => line.startsWith(fileOf(global)) && line.includes(`'${global}'`))).toHaveLength(1);
  });

  it('hold what the language has, and URL, TextEncoder and TextDecoder', () => {
    expect(caught.filter((line) => !line.startsWith('src/domain/planted/'))).toEqual([]);
  });
});
