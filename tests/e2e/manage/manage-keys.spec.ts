import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { resolve } from '../../../src/composition/tokens/token';
import { T } from '../../../src/composition/tokens/tokens';
import { derTextOf } from '../../../src/domain/credentials/signing/key-rules';
import { testManageApi, type ManageAnswer } from '../../support/service/manage-api';
import { pastedKeys, refusedKeys } from '../../support/signatures/pasted-keys';
import { startTestService, type TestService } from '../../support/service/service';
import { jwkOf } from '../../support/signatures/jwk-of';

const api = testManageApi();
beforeEach(async () => {
  await api.wipe();
  await api.post('host-apps', { name: 'Host', client_id: 'host' });
  await api.post('miniapps', { name: 'Mini', app_id: 'mini' });
});

const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const usable = pem(rsa.publicKey);
const put = (which: string, partner_public_key: string | null, more: object = {}) =>
  api.patch(which, { signature: { partner_public_key, ...more } });
const rotate = (which: string, value: string, more: object = {}) =>
  api.post(`${which}/rotate`, { credential: 'partner_public_key', value, ...more });
const errorsOf = (answer: ManageAnswer) => [answer.status, answer.body.errors] as const;
const refusal = (path: string, cause: string) => [400, [{ path, cause, rule: expect.any(String) as string }]] as const;

describe('an unusable public key', () => {
  it('is refused by its name, changes nothing and is not repeated', async () => {
    const before = await api.kept();
    for (const [cause, what, text] of refusedKeys) {
      const answers = [
        await put('host-apps/host', text),
        await put('miniapps/mini', text),
        await api.post('miniapps', { name: 'New', signature: { partner_public_key: text } }),
      ];
      for (const answer of answers) expect([what, ...errorsOf(answer)]).toEqual([what, ...refusal('signature.partner_public_key', cause)]);
      const rotated = [await rotate('host-apps/host', text), await rotate('miniapps/mini', text, { slot: 'next' })];
      for (const answer of rotated) expect([what, ...errorsOf(answer)]).toEqual([what, ...refusal('value', cause)]);
      const middle = derTextOf(text).slice(40, 70);
      for (const { text: answered } of [...answers, ...rotated]) expect(answered).not.toContain(middle);
    }
    expect(await api.kept()).toBe(before);
  });

  it('is no HMAC secret either', async () => {
    for (const [what, text] of Object.entries(pastedKeys.private)) {
      const { status, body } = await api.patch('miniapps/mini', { signature: { hmac_secret: text, acknowledge_weak: true } });
      expect([what, status, body.errors[0].path]).toEqual([what, 400, 'signature.hmac_secret']);
    }
  });

  it.each([
    ['RSA2', pastedKeys.usable['P-256, SPKI in PEM']!],
    ['ECDSA', usable],
  ])('is refused where it does not fit %s', async (algorithm, text) => {
    expect(errorsOf(await put('miniapps/mini', text, { algorithm }))).toEqual(refusal('signature.partner_public_key', 'key-algorithm'));
  });
});

describe('an HMAC secret', () => {
  const secretKey = 'u9Qd9wV0Z6Ho9_TzCYyVW_WwBJwL7KvSl4k8fmfaLyE=';

  it.each([
    ['hmac-secret-repeats', 'x'.repeat(40)],
    ['hmac-secret-blank', '0123456789abcdef0123456789abcdef\n'],
    ['hmac-secret-encoding', 'whsec_***'],
    ['hmac-secret-short', '0123456789abcdef0123456789abcde'],
    ['hmac-secret-is-secret-key', secretKey],
    ['hmac-secret-is-key', usable],
  ])('is refused by the name %s', async (cause, value) => {
    await api.post('miniapps', { name: 'Own', app_id: 'own', secret_key: secretKey });
    const patched = await api.patch('miniapps/own', { signature: { hmac_secret: value } });
    expect(errorsOf(patched)).toEqual(refusal('signature.hmac_secret', cause));
    expect(errorsOf(await api.post('miniapps/own/rotate', { credential: 'hmac_secret', value }))).toEqual(refusal('value', cause));
  });
});

describe('a public key', () => {
  it('is kept in one form, and shown with its fingerprint', async () => {
    for (const [what, text] of Object.entries(pastedKeys.usable)) {
      const { status, body } = await put('miniapps/mini', text);
      expect([what, status]).toEqual([what, 200]);
      expect(body.signature.partner_public_key).toMatch(/^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----\n$/);
      expect(body.credentials.partner_public_key.current.fingerprint).toMatch(/^sha256:[0-9a-f]{16}$/);
    }
  });

  it('that is the present one changes nothing, in whatever form it comes', async () => {
    const first = await put('miniapps/mini', usable);
    const forms = [derTextOf(usable), rsa.publicKey.export({ format: 'pem', type: 'pkcs1' }).toString()];
    forms.push(JSON.stringify(jwkOf(rsa.publicKey)));
    for (const form of forms) expect((await put('miniapps/mini', form)).body).toEqual(first.body);
    expect((await api.auditRows()).filter(({ action }) => action === 'miniapp.changed')).toHaveLength(1);
  });

  it('of another app is refused in every slot until that app no longer has it', async () => {
    const taken = refusal('signature.partner_public_key', 'key-in-use');
    await put('host-apps/host', usable);
    expect(errorsOf(await put('miniapps/mini', derTextOf(usable)))).toEqual(taken);
    const [next, other] = [pastedKeys.usable['P-384']!, pastedKeys.usable['P-521']!];
    await rotate('host-apps/host', next, { slot: 'next' });
    await rotate('host-apps/host', other);
    for (const text of [usable, next, other]) {
      expect(errorsOf(await put('miniapps/mini', text))).toEqual(taken);
      expect(errorsOf(await rotate('miniapps/mini', text))).toEqual(refusal('value', 'key-in-use'));
    }
    await put('host-apps/host', null);
    for (const text of [usable, next, other]) expect((await put('miniapps/mini', text)).status).toBe(200);
  });

  it('goes to one of two apps that store it at once', async () => {
    const statuses = await Promise.all([put('host-apps/host', usable), put('miniapps/mini', usable)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('of the platform is refused, whichever app it was made for', async () => {
    const made = await api.post('miniapps', { name: 'Signs', app_id: 'signs', signature: { algorithm: 'ECDSA' } });
    const key = String(made.body.signature.platform_public_key);
    for (const which of ['miniapps/signs', 'miniapps/mini', 'host-apps/host']) {
      expect(errorsOf(await put(which, key))).toEqual(refusal('signature.partner_public_key', 'platform-key'));
    }
  });
});

describe('the private part of a key pair of the platform', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  }, 30_000);
  afterAll(() => service.close());

  it.each(['RSA2', 'ECDSA'])('is in no answer, log, audit trail or document: %s', async (algorithm) => {
    const answers: string[] = [];
    const canaries: string[] = [];
    const manage = async (method: string, path: string, body?: unknown) => {
      const reply = await service.manage(method, path, body);
      answers.push(reply.text);
      return reply;
    };
    for (const [collection, id] of [
      ['host-apps', { client_id: `host_${algorithm}` }],
      ['miniapps', { app_id: `app_${algorithm}` }],
    ] as const) {
      const one = `${collection}/${Object.values(id)[0] ?? ''}`;
      expect((await manage('POST', collection, { name: 'Signs', ...id, signature: { algorithm, enabled: true } })).status).toBe(201);
      const credential = 'platform_key';
      expect((await manage('POST', `${one}/rotate`, { credential })).status).toBe(200);
      expect((await manage('POST', `${one}/rotate`, { credential, slot: 'next' })).status).toBe(200);
      for (const slot of ['current', 'previous', 'next']) expect(await fingerprintOf(one, slot)).toMatch(/^sha256:/);
      canaries.push(...(await privateLines(collection, Object.values(id)[0] ?? '')));
      await manage('PATCH', one, { signature: { key_format: 'DER' } });
      await manage('POST', `${one}/promote`, { credential });
      await manage('POST', `${one}/revoke`, { credential, which: 'previous' });
      await manage('GET', one);
      await manage('GET', collection);
    }
    await manage('GET', 'audit?limit=200');
    await manage('GET', 'exchanges');
    answers.push((await service.call('GET', '/.well-known/pierhead.json')).text, service.logText());
    expect(canaries.length).toBeGreaterThanOrEqual(6);
    for (const canary of canaries) expect(answers.join('\n')).not.toContain(service.canary(canary));
    // PKCS #8 of every kind of key begins so, in PEM, in base64 and in a JWK.
    expect(answers.join('\n')).not.toMatch(/PRIVATE KEY|MIIE[uv][A-Za-z0-9+/]{2}IBADAN|MIG[A-Za-z0-9]AgEAMBMGByqGSM49|"d":/);
  });

  /** A line out of each private key, as base64 has it in PEM and in DER. */
  const privateLines = async (collection: string, id: string): Promise<string[]> => {
    const { container } = service.composed;
    const partner = await (collection === 'host-apps' ? resolve(container, T.hostApps) : resolve(container, T.miniapps)).find(id);
    return Object.values(partner?.credentials.platform_key ?? {}).map(({ secret }) => secret.reveal().split('\n')[2]!.slice(0, 40));
  };

  const fingerprintOf = async (one: string, slot: string): Promise<string> =>
    (await service.manage('GET', one)).body.credentials.platform_key[slot].fingerprint as string;
});
