import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { NodeSecretDigestProvider } from '../../../src/adapters/out/signing/secret-digest-provider';
import { derTextOf } from '../../../src/domain/credentials/signing/key-rules';
import { testManageApi, type ManageAnswer } from '../../support/service/manage-api';

const api = testManageApi();
beforeEach(async () => {
  await api.wipe();
  await api.post('host-apps', { name: 'Host', client_id: 'host', secret_key: first });
  await api.post('miniapps', { name: 'Mini', app_id: 'mini', secret_key: first });
});

const first = 'u9Qd9wV0Z6Ho9_TzCYyVW_WwBJwL7KvSl4k8fmfaLyE=';
const [second, third] = [`${'A'.repeat(43)}=`, `${'B'.repeat(42)}A=`];
const longSecret = 'canary-hmac-secret-of-more-than-32-bytes';
const fingerprint = (text: string) => new NodeSecretDigestProvider().fingerprint(text);
const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString();
const typeOf = (key: unknown) => createPublicKey(String(key)).asymmetricKeyType;
const secretOf = async (slot: 'current' | 'next' | 'previous', id = 'host') =>
  (await api.deps.hostApps.find(id))?.credentials.secret_key?.[slot]?.secret.reveal();
const slotsOf = (answer: ManageAnswer, kind = 'secret_key') => answer.body.credentials[kind] as Record<string, Record<string, unknown>>;
const actions = async () => (await api.auditRows()).map(({ action }) => action).slice(2);
const rules = (answer: ManageAnswer) => (answer.body.errors as { path: string; rule: string }[]).map(({ path, rule }) => `${path} ${rule}`);

describe('a value that waits', () => {
  it('is stored beside the current one and shown once', async () => {
    const staged = await api.post('host-apps/host/rotate', { credential: 'secret_key', slot: 'next' });
    const key = String(staged.body.secret_key);
    expect([staged.status, staged.headers.get('etag'), Buffer.from(key, 'base64url').length]).toEqual([200, '"2"', 32]);
    expect(slotsOf(staged)).toMatchObject({ current: { fingerprint: fingerprint(first) }, next: { fingerprint: fingerprint(key) } });
    expect([await secretOf('current'), await secretOf('next'), await secretOf('previous')]).toEqual([first, key, undefined]);
    expect(await actions()).toEqual(['host-app.credential-staged']);
  });

  it('is replaced by a newer one, and stays when another value becomes current', async () => {
    await api.post('host-apps/host/rotate', { credential: 'secret_key', slot: 'next', value: second });
    const again = await api.post('host-apps/host/rotate', { credential: 'secret_key', slot: 'next', value: third });
    expect([again.body.secret_key, await secretOf('next')]).toEqual([undefined, third]);
    await api.post('host-apps/host/rotate', { credential: 'secret_key', value: second });
    expect([await secretOf('current'), await secretOf('next'), await secretOf('previous')]).toEqual([second, third, first]);
  });

  it('becomes current when it is promoted, and the previous one stays valid as requested', async () => {
    await api.post('host-apps/host/rotate', { credential: 'secret_key', slot: 'next', value: second });
    api.clock.advance(5000);
    const promoted = await api.post('host-apps/host/promote', { credential: 'secret_key', previous_valid_for_s: 60 });
    expect(slotsOf(promoted)).toMatchObject({
      current: { fingerprint: fingerprint(second) },
      previous: { fingerprint: fingerprint(first), valid_until: new Date(api.clock.now() + 60_000).toISOString() },
    });
    expect([Object.keys(slotsOf(promoted)), promoted.body.secret_key, await secretOf('current')]).toEqual([
      ['current', 'previous'],
      undefined,
      second,
    ]);
    expect(await actions()).toEqual(['host-app.credential-staged', 'host-app.credential-promoted']);
  });

  it('keeps the previous one for a day by default, and not at all for 0 seconds', async () => {
    await api.post('miniapps/mini/rotate', { credential: 'secret_key', slot: 'next' });
    const day = await api.post('miniapps/mini/promote', { credential: 'secret_key' });
    expect(slotsOf(day).previous?.valid_until).toBe(new Date(api.clock.now() + 86_400_000).toISOString());
    await api.post('miniapps/mini/rotate', { credential: 'secret_key', slot: 'next' });
    const none = await api.post('miniapps/mini/promote', { credential: 'secret_key', previous_valid_for_s: 0 });
    expect(Object.keys(slotsOf(none))).toEqual(['current']);
  });

  it('can be revoked, once, and is then not there to be promoted', async () => {
    await api.post('host-apps/host/rotate', { credential: 'secret_key', slot: 'next' });
    const revoked = await api.post('host-apps/host/revoke', { credential: 'secret_key', which: 'next' });
    expect([revoked.status, Object.keys(slotsOf(revoked))]).toEqual([200, ['current']]);
    const before = await api.kept();
    expect((await api.post('host-apps/host/revoke', { credential: 'secret_key', which: 'next' })).status).toBe(404);
    expect((await api.post('host-apps/host/promote', { credential: 'secret_key' })).status).toBe(404);
    expect((await api.post('host-apps/host/promote', { credential: 'platform_key' })).status).toBe(404);
    expect((await api.post('host-apps/none/promote', { credential: 'secret_key' })).status).toBe(404);
    expect(await api.kept()).toBe(before);
  });

  it('is checked with the current settings when it is promoted', async () => {
    await api.patch('miniapps/mini', { signature: { hmac_secret: longSecret, acknowledge_weak: true } });
    await api.post('miniapps/mini/rotate', { credential: 'hmac_secret', slot: 'next', value: 'brief' });
    const changed = await api.patch('miniapps/mini', { signature: { acknowledge_weak: false } });
    // Where the change was let through, the promotion is not.
    const refused = changed.status === 400 ? changed : await api.post('miniapps/mini/promote', { credential: 'hmac_secret' });
    expect([refused.status, rules(refused).join()]).toEqual([400, expect.stringContaining('shorter than 32 bytes')]);
  });
});

describe('a rotation', () => {
  it('says which value it puts out of its grace time', async () => {
    const once = await api.post('host-apps/host/rotate', { credential: 'secret_key', value: second });
    const twice = await api.post('host-apps/host/rotate', { credential: 'secret_key', value: third });
    const warnings = (answer: ManageAnswer) => (answer.body.warnings as { path: string }[]).slice(once.body.warnings.length);
    expect(warnings(once)).toEqual([]);
    expect(warnings(twice)).toEqual([
      {
        path: 'credentials.secret_key.previous',
        cause: 'grace-cut-short',
        message: expect.stringContaining(fingerprint(first)) as string,
      },
    ]);
    api.clock.advance(86_400_000);
    expect(warnings(await api.post('host-apps/host/rotate', { credential: 'secret_key' }))).toEqual([]);
  });

  it('that is sent twice does not push out the value that is still in use', async () => {
    const body = { credential: 'secret_key', value: second };
    await api.post('host-apps/host/rotate', body);
    const before = await api.kept();
    const repeated = await api.post('host-apps/host/rotate', body);
    expect([repeated.status, rules(repeated), await api.kept()]).toEqual([400, ['value is the current value already'], before]);
    await api.post('host-apps/host/rotate', { ...body, slot: 'next', value: third });
    expect(rules(await api.post('host-apps/host/rotate', { ...body, value: third }))).toEqual([
      'value is the next value already: promote it',
    ]);
    const back = await api.post('host-apps/host/rotate', { ...body, value: first });
    expect([back.status, await secretOf('current'), await secretOf('previous')]).toEqual([200, first, second]);
  });

  it.each([
    ['rotate', { credential: 'secret_key' }],
    ['rotate', { credential: 'secret_key', slot: 'next' }],
    ['promote', { credential: 'secret_key' }],
    ['revoke', { credential: 'secret_key', which: 'current' }],
  ])('needs the version that the caller has read: %s %j', async (step, body) => {
    await api.post('host-apps/host/rotate', { credential: 'secret_key', slot: 'next' });
    const before = await api.kept();
    const stale = await api.post(`host-apps/host/${step}`, body, { headers: { 'if-match': '"1"' } });
    expect([stale.status, stale.headers.get('etag'), await api.kept()]).toEqual([412, '"2"', before]);
    const fitting = await api.post(`host-apps/host/${step}`, body, { headers: { 'if-match': '"2"' } });
    expect([fitting.status, fitting.headers.get('etag')]).toEqual([200, '"3"']);
  });

  it('of twenty at once with one version is made once', async () => {
    const headers = { 'if-match': '"1"' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.post('host-apps/host/rotate', { credential: 'secret_key' }, { headers })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
    expect(await secretOf('previous')).toBe(first);
  });
});

describe('public keys', () => {
  const partner = [1, 2].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey).map(pem) as [string, string];

  it('of every slot are shown in the partner’s key format, private ones never', async () => {
    await api.patch('miniapps/mini', { signature: { algorithm: 'ECDSA', partner_public_key: partner[0] } });
    await api.post('miniapps/mini/rotate', { credential: 'partner_public_key', slot: 'next', value: partner[1] });
    const staged = await api.post('miniapps/mini/rotate', { credential: 'platform_key', slot: 'next' });
    const ours = slotsOf(staged, 'platform_key');
    expect(slotsOf(staged, 'partner_public_key')).toMatchObject({ current: { public_key: partner[0] }, next: { public_key: partner[1] } });
    expect(ours.current?.public_key).toBe(staged.body.signature.platform_public_key);
    expect(ours.next?.public_key).not.toBe(ours.current?.public_key);
    expect([staged.text.includes('PRIVATE'), staged.body.secret_key]).toEqual([false, undefined]);
    const inDer = await api.patch('miniapps/mini', { signature: { key_format: 'DER' } });
    expect(slotsOf(inDer, 'platform_key').next?.public_key).toBe(derTextOf(String(ours.next?.public_key)));
    const promoted = await api.post('miniapps/mini/promote', { credential: 'platform_key' });
    expect(promoted.body.signature.platform_public_key).toBe(derTextOf(String(ours.next?.public_key)));
    expect(slotsOf(promoted, 'platform_key').previous?.public_key).toBe(derTextOf(String(ours.current?.public_key)));
  });

  it('that do not fit the algorithm cannot wait, nor can one of the platform', async () => {
    const answer = await api.patch('miniapps/mini', { signature: { algorithm: 'ECDSA', partner_public_key: partner[0] } });
    const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey);
    for (const value of [rsa, String(answer.body.signature.platform_public_key)]) {
      const refused = await api.post('miniapps/mini/rotate', { credential: 'partner_public_key', slot: 'next', value });
      expect([refused.status, rules(refused)[0]?.split(' ')[0]]).toEqual([400, 'value']);
    }
  });
});

describe('a change of algorithm', () => {
  const ec = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);

  it('from a shared secret to keys finds both keys prepared', async () => {
    await api.patch('miniapps/mini', { signature: { algorithm: 'HMAC', hmac_secret: longSecret } });
    const ahead = await api.post('miniapps/mini/rotate', { credential: 'platform_key', algorithm: 'ECDSA' });
    const theirs = await api.post('miniapps/mini/rotate', { credential: 'partner_public_key', value: ec });
    expect([ahead.status, theirs.status, typeOf(ahead.body.signature.platform_public_key)]).toEqual([200, 200, 'ec']);
    const changed = await api.patch('miniapps/mini', { signature: { algorithm: 'ECDSA' } });
    expect(changed.body.signature.platform_public_key).toBe(ahead.body.signature.platform_public_key);
    expect(changed.body.signature.partner_public_key).toBe(ec);
    expect(slotsOf(changed, 'hmac_secret').current?.fingerprint).toBe(fingerprint(longSecret));
    // And back, without any secret sent again.
    expect((await api.patch('miniapps/mini', { signature: { algorithm: 'HMAC' } })).status).toBe(200);
  });

  it('promotes the key that waits for it, and keeps the previous one published', async () => {
    const made = await api.patch('miniapps/mini', { signature: { algorithm: 'RSA2' } });
    expect(rules(await api.post('miniapps/mini/rotate', { credential: 'platform_key', algorithm: 'ECDSA' }))).toEqual([
      'algorithm is RSA2 now: use the slot next',
    ]);
    const staged = await api.post('miniapps/mini/rotate', { credential: 'platform_key', slot: 'next', algorithm: 'ECDSA' });
    expect(rules(await api.post('miniapps/mini/promote', { credential: 'platform_key' }))).toEqual([
      'credential waits for another signature.algorithm: a change of that takes it up',
    ]);
    const changed = await api.patch('miniapps/mini', { signature: { algorithm: 'ECDSA', partner_public_key: ec } });
    const slots = slotsOf(changed, 'platform_key');
    expect(slots.current?.public_key).toBe(slotsOf(staged, 'platform_key').next?.public_key);
    expect(slots.previous).toMatchObject({
      public_key: made.body.signature.platform_public_key,
      valid_until: new Date(api.clock.now() + 86_400_000).toISOString(),
    });
    expect(Object.keys(slots)).toEqual(['current', 'previous']);
  });
});
