import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, fencesOf, root } from '../../support/documents/documents';
import { keptVectors, makeVectors, samplePrograms, samplesFolder } from '../../support/documents/sample-documents';

it('what docs/samples holds is what the workbench writes', () => {
  const stale = [...samplePrograms()].filter(([name, text]) => readFileSync(join(samplesFolder, name), 'utf8') !== text);
  expect(stale.map(([name]) => name)).toEqual([]);
});

it('the vectors are those that would be made', async () => {
  expect(await makeVectors()).toEqual(keptVectors());
});

it('the guides show the samples as they are', () => {
  const shown = documents()
    .flatMap(fencesOf)
    .flatMap(({ file, text }) => (file === undefined ? [] : [{ file, text }]));
  expect(shown).toHaveLength(4);
  const changed = shown.filter(({ file, text }) => readFileSync(join(root, file), 'utf8') !== text);
  expect(changed.map(({ file }) => file)).toEqual([]);
});
