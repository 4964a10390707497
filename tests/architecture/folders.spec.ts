import { dirname } from 'node:path';
import { filesIn } from './source-files';

const maxFiles = 25;

/** Folders that hold more files than a reader takes in, with their number. */
function largeFolders(paths: readonly string[]): string[] {
  const files = new Map<string, number>();
  for (const path of paths) files.set(dirname(path), (files.get(dirname(path)) ?? 0) + 1);
  return [...files].filter(([, count]) => count > maxFiles).map(([folder, count]) => `${folder}: ${count}`);
}

const planted = (count: number): string[] => Array.from({ length: count }, (_, index) => `src/planted/file-${index}.ts`);

describe('a folder', () => {
  it.each(['src', 'tests', 'docs/samples'])('of %s holds at most 25 files', (top) => {
    expect(largeFolders(filesIn(top).map(({ path }) => path))).toEqual([]);
  });

  it('with one file more is found', () => {
    expect(largeFolders(planted(maxFiles))).toEqual([]);
    expect(largeFolders([...planted(maxFiles + 1), 'src/planted/inner/file.ts'])).toEqual(['src/planted: 26']);
  });
});
