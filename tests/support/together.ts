import { readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const tests = join(__dirname, '..');

/** Spec files that `npm test` runs in one test file: those of the folders, or a share of them (`[1, 2]`: every second one, from the first). */
interface Group {
  readonly folders: readonly string[];
  readonly share?: readonly [number, number];
}

/** By the name of the test file in tests/together. A folder means all folders in it that no other group names. */
export const groups: Readonly<Record<string, Group>> = {
  'e2e-credentials-1': { folders: ['e2e/credentials'], share: [1, 2] },
  'e2e-credentials-2': { folders: ['e2e/credentials'], share: [2, 2] },
  'e2e-manage-1': { folders: ['e2e/manage'], share: [1, 2] },
  'e2e-manage-2': { folders: ['e2e/manage'], share: [2, 2] },
  'e2e-documents': { folders: ['e2e/documents'] },
  'e2e-partners': { folders: ['e2e/partners', 'e2e/key-sharing'] },
  'e2e-payments': { folders: ['e2e/payments', 'e2e/deliveries', 'e2e/analytics'] },
  'e2e-sandbox': { folders: ['e2e/sandbox', 'e2e/conformance'] },
  'e2e-telemetry': { folders: ['e2e/telemetry'] },
  'e2e-other': { folders: ['e2e'] },
  'contract-postgres': { folders: ['contract/postgres', 'contract/any-database'] },
  'contract-payments': { folders: ['contract/payments', 'contract/figures', 'contract/analytics'] },
  'contract-other': { folders: ['contract'] },
  'unit-credentials': { folders: ['unit/credentials'] },
  'unit-other': { folders: ['unit'] },
  architecture: { folders: ['architecture'] },
  bench: { folders: ['bench', 'hosts'] },
};

/** The spec files of a group, as paths in `tests`, sorted. Throws for a name that is no group's. */
export function specsOf(name: string): readonly string[] {
  const group = groups[name];
  if (!group) throw new Error(`No group of tests/support/together.ts is called ${name}`);
  const [share, shares] = group.share ?? [1, 1];
  return group.folders.flatMap(specsIn).filter((_file, i) => i % shares === share - 1);
}

/** Folders that a group names by themselves do not count in the folder that holds them. */
function specsIn(folder: string): readonly string[] {
  const named = Object.values(groups)
    .flatMap(({ folders }) => folders)
    .filter((other) => other.startsWith(`${folder}/`));
  return specFiles(folder).filter((file) => !named.some((other) => file.startsWith(`${other}/`)));
}

/** All spec files in a folder of `tests`, at any depth, as paths in `tests`, sorted. */
export function specFiles(folder: string): readonly string[] {
  const found = readdirSync(join(tests, folder), { recursive: true, withFileTypes: true });
  return found
    .filter((file) => file.isFile() && file.name.endsWith('.spec.ts'))
    .map(({ parentPath, name }) => relative(tests, join(parentPath, name)))
    .sort();
}

/** Runs the spec files of the group that has the name of the calling test file. Each stays a `describe` of its own, with its own hooks. */
export function together(testFile: string): void {
  for (const file of specsOf(basename(testFile, '.spec.ts'))) {
    describe(file, () => {
      // A test file loads and compiles all that it imports anew: together they do it once.
      jest.requireActual(join(tests, file));
    });
  }
}
