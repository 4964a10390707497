import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeVectors, samplePrograms, samplesFolder, vectorFile } from './sample-documents';

/** `npm run docs:samples`: writes what docs/samples holds of generated files. */
it('writes the samples and their vectors', async () => {
  for (const [name, text] of samplePrograms()) {
    const file = join(samplesFolder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
  }
  writeFileSync(vectorFile, `${JSON.stringify(await makeVectors(), null, 2)}\n`);
  expect(samplePrograms().size).toBe(30);
});
