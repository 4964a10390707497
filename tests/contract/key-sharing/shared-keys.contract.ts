import type { CredentialSlot } from '../../../src/domain/credentials/credential';
import { defaultSignatureSettings } from '../../../src/domain/credentials/signing/signature-settings';
import { defaultHostAppSettings, type HostAppSettings } from '../../../src/domain/partners/host-app';
import type { KeySharing } from '../../../src/domain/partners/key-sharing/key-sharing';
import { defaultMiniappSettings } from '../../../src/domain/partners/miniapp';
import { InvalidInput } from '../../../src/domain/shared/errors';
import { auditOf, credential, type RegistryHarness } from '../partners/partner-repository.contract';

const keyed = (text: string) => credential(text, { publicKey: `public ${text}` });
const signatureOf = (apiClientId?: string, payloadTemplate = defaultSignatureSettings.payloadTemplate) => ({
  ...defaultSignatureSettings,
  algorithm: 'RSA2' as const,
  payloadTemplate,
  ...(apiClientId !== undefined && { apiClientId }),
});
const settingsOf = (signature = signatureOf()): HostAppSettings => ({ ...defaultHostAppSettings, name: 'Host', signature });

const causesOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => undefined,
    (error: unknown) => (error instanceof InvalidInput ? error.details.fields?.map(({ path, cause }) => [path, cause]) : error),
  );

/** What the registry may rely on where several apps share a public key (contract/signatures#shared-keys), whoever keeps the partners. */
export function sharedKeysContract(name: string, open: () => Promise<RegistryHarness>): void {
  describe(`PartnerRepository, shared keys: ${name}`, () => {
    let harness: RegistryHarness;
    beforeEach(async () => {
      harness = await open();
      await harness.miniapps.create(
        {
          id: 'app_1',
          settings: { ...defaultMiniappSettings, name: 'Mini', signature: signatureOf('mini') },
          credentials: { partner_public_key: { current: keyed('a') } },
        },
        auditOf('miniapp.created'),
      );
    });

    const store = (id: string, { sharing, slot = 'current', signature = signatureOf(id) }: Storing = {}) =>
      harness.hostApps.create(
        { id, settings: settingsOf(signature), credentials: { partner_public_key: { [slot]: keyed('a') } } },
        auditOf('host-app.created'),
        sharing,
      );
    const sign = (id: string, signature: ReturnType<typeof signatureOf>) =>
      harness.hostApps.update(id, ({ settings }) => ({ settings: { ...settings, signature }, audit: auditOf('host-app.changed') }));

    it.each(['current', 'previous', 'next'] as const)(
      'keeps a granted key in the slot %s, shows it as shared and audits it',
      async (slot) => {
        await store('host_1', { sharing: 'granted', slot });
        expect([...(await harness.hostApps.sharedKeys('host_1'))]).toEqual(['public a']);
        expect([...(await harness.miniapps.sharedKeys('app_1'))]).toEqual(['public a']);
        const [, created, shared] = await harness.audit();
        expect(created).toMatchObject({ action: 'host-app.created' });
        expect(shared).toMatchObject({ action: 'host-app.key-shared', after: { partner_public_key: ['sha256:a'] } });
        await harness.miniapps.remove('app_1', auditOf('miniapp.removed'));
        expect((await harness.hostApps.sharedKeys('host_1')).size).toBe(0);
      },
    );

    it('refuses it if sharing is not granted, and stores nothing', async () => {
      expect(await causesOf(store('host_1'))).toEqual([['signature.partner_public_key', 'key-in-use']]);
      expect(await causesOf(store('host_1', { sharing: 'acknowledged' }))).toEqual([['signature.partner_public_key', 'shared-key-proof']]);
      expect(await harness.hostApps.find('host_1')).toBeUndefined();
      expect(await harness.audit()).toHaveLength(1);
    });

    it('moves a key that is shared already from slot to slot without another word', async () => {
      await store('host_1', { sharing: 'granted', slot: 'next' });
      const moved = await harness.hostApps.update('host_1', ({ settings }) => ({
        settings,
        credentials: { partner_public_key: { current: keyed('a'), next: undefined } },
        audit: auditOf('host-app.credential-promoted'),
      }));
      expect(moved?.credentials.partner_public_key?.current?.publicKey).toBe('public a');
      expect(await harness.audit()).toHaveLength(4);
    });

    it('refuses settings with which signatures could not be told apart', async () => {
      const [template, clientId] = [[['signature.payload_template', 'shared-key']], [['signature.api_client_id', 'shared-key']]];
      const granted = { sharing: 'granted' } as const;
      expect(await causesOf(store('host_1', { ...granted, signature: signatureOf('host', '{url}.{payload}') }))).toEqual(template);
      expect(await causesOf(store('host_1', { ...granted, signature: signatureOf('mini') }))).toEqual(clientId);
      await store('host_1', granted);
      expect(await causesOf(sign('host_1', signatureOf('host', '{client_id}.{url}')))).toEqual(template);
      expect(await causesOf(sign('host_1', signatureOf()))).toEqual(clientId);
      expect(await causesOf(sign('host_1', signatureOf('mini')))).toEqual(clientId);
      expect(await causesOf(sign('host_1', signatureOf('another')))).toBeUndefined();
    });

    it('gives an api_client_id to one of two concurrent callers', async () => {
      await store('host_1', { sharing: 'granted' });
      await store('host_2', { sharing: 'granted' });
      const causes = await Promise.all(['host_1', 'host_2'].map((id) => causesOf(sign(id, signatureOf('same')))));
      expect(causes.filter((cause) => cause === undefined)).toHaveLength(1);
    });

    it('never shares a key of the platform', async () => {
      const credentials = { platform_key: { previous: keyed('b') } };
      await harness.hostApps.create({ id: 'host_1', settings: settingsOf(), credentials }, auditOf('host-app.created'));
      const put = harness.miniapps.update('app_1', ({ settings }) => ({
        ...{ settings, credentials: { partner_public_key: { next: keyed('b') } }, audit: auditOf('miniapp.changed') },
        sharing: 'granted',
      }));
      expect(await causesOf(put)).toEqual([['signature.partner_public_key', 'platform-key']]);
    });
  });
}

interface Storing {
  readonly sharing?: KeySharing;
  readonly slot?: CredentialSlot;
  readonly signature?: ReturnType<typeof signatureOf>;
}
