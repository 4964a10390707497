import type { CredentialKind, CredentialSlot, CredentialValue } from '../../../src/domain/credentials/credential';
import { defaultHostAppSettings, type HostAppSettings } from '../../../src/domain/partners/host-app';
import { defaultMiniappSettings } from '../../../src/domain/partners/miniapp';
import type { AuditEntry, HostAppRepository, MiniappRepository } from '../../../src/domain/partners/ports';
import { InvalidInput } from '../../../src/domain/shared/errors';
import { Secret } from '../../../src/domain/shared/secret';
import { notIds } from '../each-database';

export interface RegistryHarness {
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  /** The audit trail, oldest first. */
  audit(): Promise<readonly AuditEntry[]>;
}

export const auditOf = (action: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  actor: 'operator',
  action,
  subject: 'host-app:host_1',
  requestId: 'req-1',
  at: 1_700_000_000_000,
  ...more,
});

export const credential = (text: string, more: Partial<CredentialValue> = {}): CredentialValue => ({
  secret: new Secret(text),
  fingerprint: `sha256:${text}`,
  createdAt: 1_700_000_000_000,
  ...more,
});

const settings: HostAppSettings = {
  ...defaultHostAppSettings,
  name: 'Höst "1"',
  endpoints: { accessToken: 'https://host.example/token' },
  colors: { primary: '#fff', '1': 'x' },
  consentLinks: [{ title: 'Terms', url: 'https://host.example/terms' }],
  features: { sso: true, payments: false },
  ipWhitelist: { enabled: true, addresses: ['10.0.0.0/8'] },
};

/** What the registry may rely on, whoever keeps the partners. */
export function partnerRepositoryContract(name: string, open: () => Promise<RegistryHarness>): void {
  describe(`PartnerRepository: ${name}`, () => {
    let harness: RegistryHarness;
    let hostApps: HostAppRepository;
    beforeEach(async () => {
      harness = await open();
      ({ hostApps } = harness);
    });
    const actions = async () => (await harness.audit()).map(({ action }) => action);
    const create = (id = 'host_1', secret = 'secret-1') =>
      hostApps.create({ id, settings, credentials: { secret_key: { current: credential(secret) } } }, auditOf('created'));
    const secretsOf = async (id = 'host_1') => {
      const { credentials } = (await hostApps.find(id))!;
      return Object.fromEntries(
        Object.entries(credentials).flatMap(([kind, slots]) =>
          Object.entries(slots).map(([slot, value]) => [`${kind}.${slot}`, value.secret.reveal()]),
        ),
      );
    };

    it('keeps a partner whole, and its audit row with it', async () => {
      const audit = auditOf('created', { before: undefined, after: { name: 'Höst', nested: { list: [1, null] } } });
      const key = credential('-----PEM-----', { publicKey: 'public', validUntil: 1_800_000_000_000, lastUsedAt: 1_750_000_000_000 });
      const credentials = { secret_key: { current: credential('s€cret') }, platform_key: { current: key } };
      const created = await hostApps.create({ id: 'host_1', settings, credentials }, audit);
      const found = await hostApps.find('host_1');
      for (const partner of [created, found]) {
        expect(partner).toMatchObject({ kind: 'host-app', id: 'host_1', version: 1 });
        expect(partner?.settings).toEqual(settings);
        expect(partner?.credentials.secret_key?.current?.secret.reveal()).toBe('s€cret');
        expect(partner?.credentials.platform_key?.current).toMatchObject({ ...key, secret: expect.any(Secret) });
        expect(partner?.credentials.platform_key?.current?.secret.reveal()).toBe('-----PEM-----');
      }
      expect(await harness.audit()).toMatchObject([{ ...auditOf('created'), after: { name: 'Höst', nested: { list: [1, null] } } }]);
    });

    it('keeps host apps and miniapps of one id apart, credentials too', async () => {
      await create('same_1', 'of the host app');
      const credentials = { secret_key: { current: credential('of the miniapp') } };
      const settingsOfIt = { ...defaultMiniappSettings, name: 'Mini', requiredUserFields: ['email' as const] };
      await harness.miniapps.create({ id: 'same_1', settings: settingsOfIt, credentials }, auditOf('created'));
      expect((await harness.miniapps.find('same_1'))?.settings).toEqual(settingsOfIt);
      expect((await harness.miniapps.find('same_1'))?.credentials.secret_key?.current?.secret.reveal()).toBe('of the miniapp');
      expect(await harness.miniapps.remove('same_1', auditOf('removed'))).toBe(true);
      expect(await secretsOf('same_1')).toEqual({ 'secret_key.current': 'of the host app' });
    });

    it('refuses an id that is taken, and keeps the stored record', async () => {
      await create('host_1', 'first');
      await expect(create('host_1', 'second')).rejects.toMatchObject({ name: 'PartnerExists' });
      expect(await secretsOf()).toEqual({ 'secret_key.current': 'first' });
      expect(await actions()).toEqual(['created']);
    });

    it('lets one of twenty take an id', async () => {
      const taken = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => create('host_1', `secret-${i}`)));
      expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await actions()).toEqual(['created']);
    });

    it('changes settings and credentials, raises the version and audits in one step', async () => {
      await create();
      const updated = await hostApps.update('host_1', (partner) => ({
        settings: { ...partner.settings, name: 'New' },
        credentials: {
          secret_key: { current: credential('secret-2'), previous: credential('secret-1') },
          hmac_secret: { current: credential('h') },
        },
        audit: auditOf('changed'),
      }));
      expect(updated).toMatchObject({ version: 2, settings: { name: 'New' } });
      expect(await secretsOf()).toEqual({
        'secret_key.current': 'secret-2',
        'secret_key.previous': 'secret-1',
        'hmac_secret.current': 'h',
      });
      expect(await actions()).toEqual(['created', 'changed']);
    });

    it('removes a slot that is set to nothing, and keeps slots that are not named', async () => {
      await create();
      const change = (credentials: object) =>
        hostApps.update('host_1', (partner) => ({ settings: partner.settings, credentials, audit: auditOf('changed') }));
      await change({ secret_key: { previous: credential('old') }, hmac_secret: { current: credential('h') } });
      await change({ secret_key: { previous: undefined } });
      expect(await secretsOf()).toEqual({ 'secret_key.current': 'secret-1', 'hmac_secret.current': 'h' });
      const updated = await change({ hmac_secret: { current: undefined } });
      expect(updated?.credentials).not.toHaveProperty('hmac_secret');
      expect(updated?.version).toBe(4);
    });

    it('writes nothing where there is nothing to change', async () => {
      await create();
      expect(await hostApps.update('host_1', () => undefined)).toMatchObject({ version: 1 });
      expect(await hostApps.update('host_2', () => ({ settings, audit: auditOf('changed') }))).toBeUndefined();
      expect(await actions()).toEqual(['created']);
    });

    it('writes nothing where the change throws', async () => {
      await create();
      const thrown = hostApps.update('host_1', () => {
        throw new Error('no');
      });
      await expect(thrown).rejects.toThrow('no');
      expect(await hostApps.find('host_1')).toMatchObject({ version: 1 });
      expect(await actions()).toEqual(['created']);
    });

    it('makes twenty changes at once one after the other: none is lost', async () => {
      await create();
      const grow = () =>
        hostApps.update('host_1', ({ settings: present, credentials }) => ({
          settings: { ...present, name: `${present.name}+` },
          credentials: { secret_key: { current: credential(`${credentials.secret_key!.current!.secret.reveal()}+`) } },
          audit: auditOf('changed'),
        }));
      const versions = (await Promise.all(Array.from({ length: 20 }, grow))).map((partner) => partner!.version);
      expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 2));
      expect((await hostApps.find('host_1'))?.settings.name).toBe(`${settings.name}${'+'.repeat(20)}`);
      expect(await secretsOf()).toEqual({ 'secret_key.current': `secret-1${'+'.repeat(20)}` });
      expect(await harness.audit()).toHaveLength(21);
    });

    describe('a public key', () => {
      const keyed = (text: string) => credential(text, { publicKey: `public ${text}` });
      const withKey = (id: string, text: string, kind: CredentialKind = 'partner_public_key', slot: CredentialSlot = 'current') =>
        hostApps.create({ id, settings, credentials: { [kind]: { [slot]: keyed(text) } } }, auditOf('created'));
      const causeOf = (attempt: Promise<unknown>) =>
        attempt.then(
          () => undefined,
          (error: unknown) => (error instanceof InvalidInput ? error.details.fields?.[0]?.cause : error),
        );
      const put = (id: string, slots: object) =>
        hostApps.update(id, () => ({ settings, credentials: { partner_public_key: slots }, audit: auditOf('changed') }));

      it.each(['current', 'previous', 'next'] as const)('in the slot %s belongs to one partner', async (slot) => {
        await withKey('host_1', 'a', 'partner_public_key', slot);
        expect(await causeOf(withKey('host_2', 'a'))).toBe('key-in-use');
        const miniapp = { id: 'host_1', settings: { ...defaultMiniappSettings, name: 'Mini' } };
        const credentials = { partner_public_key: { next: keyed('a') } };
        expect(await causeOf(harness.miniapps.create({ ...miniapp, credentials }, auditOf('created')))).toBe('key-in-use');
        await withKey('host_3', 'b');
        expect(await causeOf(put('host_3', { current: keyed('a'), previous: keyed('b') }))).toBe('key-in-use');
        expect((await hostApps.find('host_3'))?.credentials.partner_public_key?.current?.publicKey).toBe('public b');
        expect(await actions()).toEqual(['created', 'created']);
      });

      it('stays with its partner in another slot, and is free when it is gone', async () => {
        await withKey('host_1', 'a');
        await put('host_1', { current: keyed('b'), previous: keyed('a') });
        await put('host_1', { current: keyed('a'), previous: keyed('b') });
        await put('host_1', { current: keyed('c'), previous: undefined });
        await withKey('host_2', 'a');
        await hostApps.remove('host_1', auditOf('removed'));
        expect((await withKey('host_3', 'c')).version).toBe(1);
      });

      it('of the platform is refused to every other app and slot', async () => {
        await withKey('host_1', 'a', 'platform_key', 'previous');
        expect(await causeOf(withKey('host_2', 'a'))).toBe('platform-key');
        expect(await causeOf(put('host_1', { next: keyed('a') }))).toBe('platform-key');
      });

      it('goes to one of twenty who store it at once', async () => {
        const causes = await Promise.all(Array.from({ length: 20 }, (_, i) => causeOf(withKey(`host_${String(i)}`, 'a'))));
        expect(causes.sort()).toEqual([...Array.from({ length: 19 }, () => 'key-in-use'), undefined]);
        expect(await actions()).toEqual(['created']);
      });
    });

    it('lists those of some ids, by id, with credentials', async () => {
      for (const id of ['host_b', 'host_a', 'host_c']) await create(id, `secret of ${id}`);
      const found = await hostApps.listOf(['host_c', 'host_a', 'unknown', 'host_a']);
      expect(found.map(({ id }) => id)).toEqual(['host_a', 'host_c']);
      expect(found[0]).toEqual(await hostApps.find('host_a'));
      expect(await hostApps.listOf([])).toEqual([]);
    });

    it('lists by id, in pages, with credentials', async () => {
      for (const id of ['host_b', 'host_a', 'host_Z', 'host_10', 'host_1']) await create(id, `secret of ${id}`);
      const first = await hostApps.list({ limit: 3 });
      expect(first.map(({ id }) => id)).toEqual(['host_1', 'host_10', 'host_Z']);
      expect(first[2]?.credentials.secret_key?.current?.secret.reveal()).toBe('secret of host_Z');
      expect((await hostApps.list({ limit: 3, after: 'host_Z' })).map(({ id }) => id)).toEqual(['host_a', 'host_b']);
      expect(await hostApps.list({ limit: 3, after: 'host_b' })).toEqual([]);
    });

    it('removes a partner with its credentials, once', async () => {
      await create();
      expect(await hostApps.remove('host_1', auditOf('removed'))).toBe(true);
      expect(await hostApps.find('host_1')).toBeUndefined();
      expect(await hostApps.remove('host_1', auditOf('removed'))).toBe(false);
      expect(await actions()).toEqual(['created', 'removed']);
      await hostApps.create({ id: 'host_1', settings, credentials: {} }, auditOf('created'));
      expect(await secretsOf()).toEqual({});
    });

    it('returns frozen records that later changes of the input do not affect', async () => {
      const mine = { ...settings, colors: { primary: '#fff' } };
      const created = await hostApps.create({ id: 'host_1', settings: mine, credentials: {} }, auditOf('created'));
      (mine.colors as Record<string, string>)['primary'] = '#000';
      expect(created.settings.colors).toEqual({ primary: '#fff' });
      const found = await hostApps.find('host_1');
      for (const part of [found, found?.settings, found?.settings.colors, found?.settings.signature.headerNames, found?.credentials]) {
        expect(Object.isFrozen(part)).toBe(true);
      }
    });

    it.each(notIds)('never takes %s for an id, though a partner is there', async (_what, id) => {
      await create();
      const missing = id as string;
      await expect(hostApps.find(missing)).rejects.toThrow();
      await expect(hostApps.update(missing, () => ({ settings, audit: auditOf('changed') }))).rejects.toThrow();
      await expect(hostApps.remove(missing, auditOf('removed'))).rejects.toThrow();
      await expect(create(missing)).rejects.toThrow();
      expect(await hostApps.find('host_1')).toMatchObject({ version: 1 });
      expect(await actions()).toEqual(['created']);
    });
  });
}
