import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { integrationRecordFrom } from '../../../src/adapters/out/postgres/integrations/integration.schema';
import { hostAppTable, miniappTable, partnerFrom } from '../../../src/adapters/out/postgres/partners/partner-table';
import { defaultHostAppSettings } from '../../../src/domain/partners/host-app';
import { defaultIntegrationSettings } from '../../../src/domain/partners/integrations/integration';
import { defaultMiniappSettings } from '../../../src/domain/partners/miniapp';
import { AesSecretCipher } from '../../../src/adapters/out/secrets/secret-cipher';

setFlagsFromString('--allow-natives-syntax');
/** Whether V8 finds their members in the same way: what reads them is fast only where there are few ways. */
const haveOneShape = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (one: object, other: object) => boolean;

const box = new AesSecretCipher([{ id: 'k1', key: Buffer.alloc(32, 7) }]);
/** As a column of JSON is read. */
const read = <T extends object>(settings: T): T => JSON.parse(JSON.stringify(settings)) as T;

const rowOf = (id: string, settings: object) => ({ id, version: 1, settings, credentials: [] });
const signature = { ...defaultHostAppSettings.signature, enabled: true };

const kinds: [string, (n: number) => { readonly settings: object }][] = [
  ['a host app', (n) => partnerFrom(hostAppTable, rowOf(`h${n}`, read({ ...defaultHostAppSettings, name: `Host ${n}` })), box)],
  ['a host app that signs its own way', (n) => partnerFrom(hostAppTable, rowOf(`h${n}`, read({ name: `Host ${n}`, signature })), box)],
  ['a miniapp', (n) => partnerFrom(miniappTable, rowOf(`m${n}`, read({ ...defaultMiniappSettings, name: `Mini ${n}` })), box)],
  [
    'an agreement',
    (n) => {
      const { status, ...settings } = defaultIntegrationSettings;
      const row = { id: `i${n}`, client_id: `h${n}`, app_id: `m${n}`, version: n, status, settings: read(settings) };
      return integrationRecordFrom({ ...row, merchant_id: null, proposal: null });
    },
  ],
];

describe.each(kinds)('the record of %s', (_kind, make) => {
  it('has the shape of all others, and so have its settings', () => {
    // The first ones tell V8 what stands in them.
    const records = Array.from({ length: 50 }, (_, n) => make(n));
    const [one, other] = records.slice(-2) as [{ settings: object }, { settings: object }];
    expect(haveOneShape(one, other)).toBe(true);
    expect(haveOneShape(one.settings, other.settings)).toBe(true);
  });
});

it('other shapes are seen', () => {
  expect(haveOneShape({ id: 'h1' }, { name: 'h1' })).toBe(false);
});
