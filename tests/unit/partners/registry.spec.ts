import { NodePublicKeyReader } from '../../../src/adapters/out/signing/public-key-reader';
import { NodeKeyPairGenerator } from '../../../src/adapters/out/signing/key-pair-generator';
import { NodeSecretDigestProvider } from '../../../src/adapters/out/signing/secret-digest-provider';
import { memoryMiniapps } from '../../../src/adapters/out/memory/partners/memory-partner-repository';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { Possession } from '../../../src/domain/credentials/possession';
import { CredentialIntake } from '../../../src/domain/credentials/given-credentials';
import { ChangePartnerSettings } from '../../../src/domain/partners/change-partner-settings';
import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../../src/domain/partners/miniapp';
import type { PartnerDraft, RegistryDeps } from '../../../src/domain/partners/partner-draft';
import type { MiniappRepository } from '../../../src/domain/partners/ports';
import { PartnerExists, StaleVersion, UnknownPartner } from '../../../src/domain/partners/registry-errors';
import { RegisterPartner } from '../../../src/domain/partners/register-partner';
import { RemovePartner } from '../../../src/domain/partners/remove-partner';
import { RotateCredential } from '../../../src/domain/partners/credentials/rotate-credential';
import { InvalidInput } from '../../../src/domain/shared/errors';
import { Secret } from '../../../src/domain/shared/secret';
import { signatureTools } from '../../support/signatures/signing';
import { testBox } from '../../support/postgres/test-box';
import { ManualClock } from '../../support/manual-clock';

const origin = { actor: 'someone', requestId: 'r1' };
const settings = (change: Partial<MiniappSettings> = {}): MiniappSettings => ({ ...defaultMiniappSettings, name: 'Mini', ...change });
const draft = (change: Partial<PartnerDraft<MiniappSettings>> = {}): PartnerDraft<MiniappSettings> => ({
  settings: settings(),
  credentials: {},
  problems: [],
  ...change,
});

/** Hands out the letters that it was given, one after the other. */
function deps(letters: string[] = [], partners?: (honest: MiniappRepository) => MiniappRepository) {
  const registry = new MemoryRegistry();
  const honest = memoryMiniapps(registry);
  const clock = new ManualClock();
  const keys = new NodePublicKeyReader();
  const parts: RegistryDeps<Miniapp> = {
    kind: 'miniapp',
    partners: partners?.(honest) ?? honest,
    intake: new CredentialIntake({ digest: new NodeSecretDigestProvider(), keys, keyPairGenerator: new NodeKeyPairGenerator(), clock }),
    keys,
    secrets: { secretKey: () => new Secret(`${'A'.repeat(43)}=`), letters: () => letters.shift() ?? 'none' },
    clock,
    describe: ({ id, version }) => ({ id, version }),
  };
  return { parts, registry, honest };
}

const possession = new Possession({ ...signatureTools, box: testBox(), keys: new NodePublicKeyReader() });

describe('registering', () => {
  it('tries another id where a made one is taken', async () => {
    const { parts, registry } = deps(['aaaaaa', 'aaaaaa', 'bbbbbb']);
    const register = new RegisterPartner(parts);
    await register.execute({ ...origin, draft: draft() });
    expect((await register.execute({ ...origin, draft: draft() })).partner.id).toBe('app_bbbbbb');
    expect(registry.audit.map(({ subject }) => subject)).toEqual(['miniapp:app_aaaaaa', 'miniapp:app_bbbbbb']);
  });

  it('gives up after a few taken ids, and at once if the id was given', async () => {
    const { parts, registry } = deps(['aaaaaa', ...Array.from({ length: 5 }, () => 'aaaaaa'), 'bbbbbb']);
    const register = new RegisterPartner(parts);
    await register.execute({ ...origin, draft: draft() });
    await expect(register.execute({ ...origin, draft: draft(), id: 'app_aaaaaa' })).rejects.toBeInstanceOf(PartnerExists);
    await expect(register.execute({ ...origin, draft: draft() })).rejects.toBeInstanceOf(PartnerExists);
    expect(registry.audit).toHaveLength(1);
  });

  it("reports the reader's problems together with those of the rules", async () => {
    const { parts, registry } = deps();
    const weak = settings({ signature: { ...defaultMiniappSettings.signature, hash: 'MD5' } });
    const wrong = draft({
      settings: weak,
      problems: [{ path: 'logo', rule: 'must be text' }],
      credentials: { hmac_secret: new Secret('brief') },
    });
    const failure: unknown = await new RegisterPartner(parts)
      .execute({ ...origin, draft: wrong, id: 'a b' })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InvalidInput);
    expect((failure as InvalidInput).details.fields?.map(({ path }) => path)).toEqual([
      'app_id',
      'logo',
      'signature.hmac_secret',
      'signature.hash',
    ]);
    expect(registry.miniapps.size).toBe(0);
  });
});

describe('changing', () => {
  const rename = (name: string) => ({ ...origin, id: 'app_1', edit: () => draft({ settings: settings({ name }) }) });

  it('repeats its edit on changes that others made meanwhile', async () => {
    let overtakers = 2;
    const { parts, registry, honest } = deps([], (repository) => ({
      create: (...given) => repository.create(...given),
      find: (id) => repository.find(id),
      list: (page) => repository.list(page),
      listOf: (ids) => repository.listOf(ids),
      remove: (...given) => repository.remove(...given),
      sharedKeys: (id) => repository.sharedKeys(id),
      update: async (id, change) => {
        if (overtakers-- > 0) {
          const features = { sso: overtakers === 0 };
          await repository.update(id, (partner) => ({ settings: { ...partner.settings, features }, audit: registry.audit[0]! }));
        }
        return repository.update(id, change);
      },
    }));
    await new RegisterPartner(parts).execute({ ...origin, draft: draft(), id: 'app_1' });
    const edit = ({ settings: present }: Miniapp) => draft({ settings: { ...present, name: 'New' } });
    const changed = await new ChangePartnerSettings(parts).execute({ ...origin, id: 'app_1', edit });
    expect(changed).toMatchObject({ version: 4, settings: { name: 'New', features: { sso: true } } });
    expect((await honest.find('app_1'))?.settings).toEqual(changed.settings);
  });

  it('stops where others never stop', async () => {
    const { parts, registry } = deps([], (repository) => ({
      create: (...given) => repository.create(...given),
      find: async (id) => {
        const partner = await repository.find(id);
        return partner && { ...partner, version: partner.version - 1 };
      },
      list: (page) => repository.list(page),
      listOf: (ids) => repository.listOf(ids),
      remove: (...given) => repository.remove(...given),
      sharedKeys: (id) => repository.sharedKeys(id),
      update: (...given) => repository.update(...given),
    }));
    await new RegisterPartner(parts).execute({ ...origin, draft: draft(), id: 'app_1' });
    await expect(new ChangePartnerSettings(parts).execute(rename('New'))).rejects.toBeInstanceOf(StaleVersion);
    expect(registry.audit).toHaveLength(1);
  });

  it('leaves no trace where nothing changes', async () => {
    const { parts, registry } = deps();
    await new RegisterPartner(parts).execute({
      ...origin,
      draft: draft({ credentials: { hmac_secret: new Secret('0123456789abcdef'.repeat(2)) } }),
      id: 'app_1',
    });
    const edit = () => draft({ credentials: { hmac_secret: new Secret('0123456789abcdef'.repeat(2)), partner_public_key: null } });
    expect((await new ChangePartnerSettings(parts).execute({ ...origin, id: 'app_1', edit })).version).toBe(1);
    expect(registry.audit).toHaveLength(1);
  });
});

it('says so where there is no such partner', async () => {
  const { parts, registry } = deps();
  const nobody = { ...origin, id: 'app_0' };
  await expect(new ChangePartnerSettings(parts).execute({ ...nobody, edit: () => draft() })).rejects.toBeInstanceOf(UnknownPartner);
  await expect(new RemovePartner(parts).execute(nobody)).rejects.toBeInstanceOf(UnknownPartner);
  await expect(
    new RotateCredential({ ...parts, possession }).execute({ ...nobody, credential: 'secret_key', slot: 'current', previousValidForS: 0 }),
  ).rejects.toBeInstanceOf(UnknownPartner);
  expect(registry.audit).toEqual([]);
});
