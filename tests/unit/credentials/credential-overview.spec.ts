import { NodePublicKeyReader } from '../../../src/adapters/out/signing/public-key-reader';
import { credentialOverview } from '../../../src/domain/credentials/credential-overview';
import { Secret } from '../../../src/domain/shared/secret';
import { aHostApp } from '../../support/partners/partners';

const now = 1_800_000_000_000;
const valueOf = (fingerprint: string, more = {}) => ({
  secret: new Secret(`secret-${fingerprint}`),
  fingerprint,
  createdAt: now - 1000,
  ...more,
});
const hostApp = aHostApp();
const partner = {
  ...hostApp,
  credentials: { secret_key: { current: valueOf('new'), previous: valueOf('old', { validUntil: now + 60_000 }) } },
};
const callerAt = (lastAt: number) => ({ kind: 'secret_key', fingerprint: 'old', address: '192.0.2.1', uses: 1, lastAt }) as const;
const oldOne = (callers: readonly ReturnType<typeof callerAt>[]) =>
  credentialOverview(partner, { callers, keys: new NodePublicKeyReader(), now })[0]?.values.find(({ slot }) => slot === 'previous');

it('counts a recent caller as a use before the time of the last use is stored', () => {
  expect(oldOne([])).toMatchObject({ removal: 'safe', value: { fingerprint: 'old' } });
  expect(oldOne([])?.value.lastUsedAt).toBeUndefined();
  expect(oldOne([callerAt(now - 5000), callerAt(now - 2000)])).toMatchObject({ removal: 'in-use', value: { lastUsedAt: now - 2000 } });
});
