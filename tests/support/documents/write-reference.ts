import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { referenceFiles, root } from './reference-files';

it('writes the reference', () => {
  const files = referenceFiles();
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const laidOut = files.map(({ path }) => path).filter((path) => path.endsWith('.json'));
  execFileSync(process.execPath, [join(root, 'node_modules/prettier/bin/prettier.cjs'), '--write', ...laidOut], { cwd: root });
});
