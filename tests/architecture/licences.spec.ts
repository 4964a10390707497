import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that let an Apache-2.0 project be installed with the package. */
const allowed = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0']);

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly license?: string }>>;
}

describe('packages that the service installs', () => {
  it('have a licence that allows it', () => {
    const { packages } = JSON.parse(readFileSync(join(__dirname, '../../package-lock.json'), 'utf8')) as Lock;
    const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
    expect(installed.length).toBeGreaterThan(50);
    const refused = installed.filter(([, { license = 'none' }]) => !allowed.has(license));
    expect(refused.map(([path, { license }]) => `${path}: ${String(license)}`)).toEqual([]);
  });
});
