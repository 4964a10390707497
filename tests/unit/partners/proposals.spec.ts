import { MemoryIntegrationRepository } from '../../../src/adapters/out/memory/integrations/memory-integration-repository';
import { memoryHostApps, memoryMiniapps } from '../../../src/adapters/out/memory/partners/memory-partner-repository';
import { MemoryRateLimiter } from '../../../src/adapters/out/memory/credentials/memory-rate-limiter';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { DecideProposal, WithdrawProposal } from '../../../src/domain/partners/integrations/decide-proposal';
import { defaultHostAppSettings } from '../../../src/domain/partners/host-app';
import { IntegratePartners } from '../../../src/domain/partners/integrations/integrate-partners';
import { defaultIntegrationSettings, type IntegrationSettings } from '../../../src/domain/partners/integrations/integration';
import { defaultMiniappSettings } from '../../../src/domain/partners/miniapp';
import { proposalRules } from '../../../src/domain/partners/integrations/proposal';
import { ProposeIntegration, type ProposeIntegrationCommand } from '../../../src/domain/partners/integrations/propose-integration';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';

const origin = { actor: 'someone', requestId: 'r1' };
const key = { clientId: 'host_1', appId: 'app_1' };
const features = { sso: true };
const audit = { actor: 'operator', action: 'made', subject: 'x', requestId: 'r', at: 0 };

async function fixture(attemptsAMinute = 100) {
  const registry = new MemoryRegistry();
  const [hostApps, miniapps] = [memoryHostApps(registry), memoryMiniapps(registry)];
  const clock = new ManualClock();
  const deps = {
    ...{ hostApps, miniapps, clock, integrations: new MemoryIntegrationRepository(registry), ids: new CountingIds() },
    limiter: new MemoryRateLimiter({ limits: { proposal: attemptsAMinute } }),
    describe: ({ settings, proposal }: { settings: IntegrationSettings; proposal?: unknown }) => ({ status: settings.status, proposal }),
  };
  await hostApps.create({ id: 'host_1', settings: { ...defaultHostAppSettings, name: 'Harbour' }, credentials: {} }, audit);
  for (const id of ['app_1', 'app_2', 'app_shy']) {
    const settings = { ...defaultMiniappSettings, name: id, takesProposals: id !== 'app_shy' };
    await miniapps.create({ id, settings, credentials: {} }, audit);
  }
  const propose = new ProposeIntegration(deps);
  const decide = new DecideProposal(deps);
  const withdraw = new WithdrawProposal(deps);
  return {
    clock,
    deps,
    registry,
    propose: (by: ProposeIntegrationCommand['by'], more: Partial<ProposeIntegrationCommand> = {}) =>
      propose.execute({ ...origin, key, by, features, ...more }),
    accept: (who: 'host-app' | 'miniapp' | 'operator', precondition?: (version: number | undefined) => void) =>
      decide.accept({ ...origin, key, who, ...(precondition && { precondition }) }),
    decline: (who: 'host-app' | 'miniapp' | 'operator') => decide.decline({ ...origin, key, who }),
    withdraw: (who: 'host-app' | 'miniapp' | 'operator') => withdraw.execute({ ...origin, key, who }),
    put: (change: Partial<IntegrationSettings>) =>
      new IntegratePartners(deps).execute({ ...origin, key, settings: { ...defaultIntegrationSettings, ...change }, problems: [] }),
    found: () => registry.integrations.get('host_1/app_1'),
    actions: () => registry.audit.map(({ action }) => action).filter((action) => action !== 'made'),
  };
}

const conflict = (cause: string) => ({ kind: 'conflict', details: { fields: [{ path: 'proposal', cause }] } });
const notYours = { name: 'NotYoursToDecide', kind: 'forbidden' };

it('becomes an accepted integration when the other side accepts it', async () => {
  const { propose, accept, found, actions, clock } = await fixture();
  const { integrationRecord, created } = await propose('host-app', { note: 'Ferries for our riders' });
  expect([created, integrationRecord.settings.status]).toEqual([true, 'proposed']);
  expect(integrationRecord.proposal).toEqual({ by: 'host-app', note: 'Ferries for our riders', at: clock.now() });
  const accepted = await accept('miniapp');
  expect(accepted).toEqual({
    ...key,
    id: integrationRecord.id,
    version: 2,
    settings: { ...defaultIntegrationSettings, status: 'accepted', features },
  });
  expect([found(), actions()]).toEqual([accepted, ['integration.proposed', 'integration.accepted']]);
});

it('changes nothing when the same is done again', async () => {
  const { propose, accept, decline, found, actions } = await fixture();
  await propose('miniapp', { note: 'A' });
  expect((await propose('miniapp', { note: 'A' })).created).toBe(false);
  expect((await propose('miniapp', { note: 'B' })).integrationRecord).toMatchObject({ version: 2, proposal: { note: 'B' } });
  await decline('host-app');
  await decline('host-app');
  await accept('host-app');
  const stood = found();
  // A repeat of an answer that was given is the same answer, whatever version its sender had seen.
  await accept('host-app', () => {
    throw new Error('Another version');
  });
  expect(found()).toBe(stood);
  expect(actions()).toEqual(['proposed', 'proposed', 'declined', 'accepted'].map((what) => `integration.${what}`));
});

it('gets the same answer if the partner does not exist as if it takes no proposals', async () => {
  const { propose, actions } = await fixture();
  const refusals = await Promise.all(
    ['app_none', 'app_shy'].map((appId) => propose('host-app', { key: { ...key, appId } }).catch((error: unknown) => error)),
  );
  expect(refusals[0]).toMatchObject({ name: 'NoSuchCounterpart', code: 'MINIAPP_NOT_FOUND' });
  expect(refusals[1]).toEqual(refusals[0]);
  expect(actions()).toEqual([]);
});

it('gets the same answer if the other partner is removed meanwhile', async () => {
  const { propose, deps } = await fixture();
  const { find } = deps.integrations;
  deps.integrations.find = async (wanted) => {
    const found = await find.call(deps.integrations, wanted);
    await deps.miniapps.remove('app_1', audit);
    return found;
  };
  const settings = { ...defaultMiniappSettings, name: 'Gone' };
  deps.miniapps.find = async (id) => ({ kind: 'miniapp', id, version: 1, settings, credentials: {} });
  await expect(propose('host-app')).rejects.toMatchObject({ name: 'NoSuchCounterpart' });
});

it('cannot be accepted or declined by its proposer, nor withdrawn by the other side', async () => {
  const { propose, accept, decline, withdraw, actions } = await fixture();
  await propose('host-app');
  await expect(accept('host-app')).rejects.toMatchObject(notYours);
  await expect(decline('host-app')).rejects.toMatchObject(notYours);
  await expect(withdraw('miniapp')).rejects.toMatchObject(notYours);
  expect(actions()).toEqual(['integration.proposed']);
  await withdraw('host-app');
  for (const late of [accept('miniapp'), decline('miniapp'), withdraw('host-app')])
    await expect(late).rejects.toMatchObject({ name: 'UnknownIntegration' });
});

it('cannot be repeated after it was declined, until the operator withdraws it', async () => {
  const { propose, decline, accept, withdraw, found } = await fixture();
  await propose('host-app');
  await decline('miniapp');
  await expect(propose('host-app', { note: 'Please' })).rejects.toMatchObject(conflict('declined'));
  await expect(withdraw('host-app')).rejects.toMatchObject(conflict('declined'));
  await expect(propose('miniapp')).rejects.toMatchObject(conflict('proposed-by-other-side'));
  await withdraw('operator');
  await propose('host-app');
  await decline('miniapp');
  await accept('miniapp');
  expect(found()).toMatchObject({ settings: { status: 'accepted' } });
  expect(found()?.proposal).toBeUndefined();
});

it('cannot be accepted, declined or withdrawn by a partner if the operator made it', async () => {
  const { propose, accept, decline, withdraw, put, actions } = await fixture();
  for (const [status, cause] of [
    ['proposed', 'proposed-by-operator'],
    ['suspended', 'suspended'],
  ] as const) {
    await put({ status });
    for (const act of [() => accept('miniapp'), () => decline('host-app'), () => withdraw('host-app'), () => propose('miniapp')])
      await expect(act()).rejects.toMatchObject(conflict(cause));
  }
  await expect(accept('operator')).rejects.toMatchObject(conflict('suspended'));
  await put({ status: 'accepted' });
  for (const act of [() => decline('miniapp'), () => withdraw('host-app'), () => propose('host-app')])
    await expect(act()).rejects.toMatchObject(conflict('integrated'));
  expect(actions()).toEqual(['integration.created', 'integration.changed', 'integration.changed']);
});

it('can be accepted by the operator, whoever made it', async () => {
  const { propose, accept, put, found } = await fixture();
  await propose('miniapp');
  const changed = await put({ features: { payments: true } });
  expect(changed.integrationRecord.proposal).toMatchObject({ by: 'miniapp' });
  await put({ status: 'accepted', features: { payments: true } });
  expect(found()?.proposal).toBeUndefined();
  await put({});
  expect((await accept('operator')).settings.status).toBe('accepted');
});

it('lets a partner have so many proposals wait, and no more', async () => {
  const { propose, deps, clock } = await fixture();
  for (let i = 0; i < proposalRules.maxOpen; i++) {
    const appId = `app_${String(100 + i)}`;
    await deps.miniapps.create({ id: appId, settings: { ...defaultMiniappSettings, name: appId }, credentials: {} }, audit);
    await propose('host-app', { key: { ...key, appId } });
  }
  await expect(propose('host-app')).rejects.toMatchObject(conflict('too-many-open'));
  const one = { ...origin, key: { ...key, appId: 'app_100' } };
  await new DecideProposal(deps).decline({ ...one, who: 'miniapp' });
  expect((await propose('host-app')).created).toBe(true);
  // What it proposes already it may still word anew; the other kind is counted by itself.
  expect((await propose('host-app', { note: 'Anew' })).integrationRecord.proposal).toMatchObject({ note: 'Anew', at: clock.now() });
  expect((await propose('miniapp', { key: { ...key, appId: 'app_2' } })).created).toBe(true);
});

it('counts against a limit of its partner, whether the app exists or not', async () => {
  const { propose } = await fixture(3);
  for (let i = 0; i < 3; i++)
    await expect(propose('host-app', { key: { ...key, appId: `app_no${String(i)}` } })).rejects.toMatchObject({
      name: 'NoSuchCounterpart',
    });
  await expect(propose('host-app')).rejects.toMatchObject({ code: 'RATE_LIMITED', kind: 'too-many' });
  expect((await propose('miniapp')).created).toBe(true);
});

it('is decided in the expected version, if one is given', async () => {
  const { propose, accept, found } = await fixture();
  await propose('host-app');
  const stale = (version: number | undefined) => {
    if (version !== 1) throw new Error(`It is version ${String(version)}`);
  };
  await propose('host-app', { features: { payments: true } });
  await expect(accept('miniapp', stale)).rejects.toThrow('It is version 2');
  expect(found()?.settings.status).toBe('proposed');
});
