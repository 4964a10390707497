import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { NodeSecretDigestProvider } from '../../../src/adapters/out/signing/secret-digest-provider';
import { derTextOf } from '../../../src/domain/credentials/signing/key-rules';
import { testManageApi, type ManageAnswer } from '../../support/service/manage-api';

const api = testManageApi();
beforeEach(async () => {
  await api.wipe();
  await api.post('host-apps', { name: 'Host', client_id: 'host', secret_key: aKey });
  await api.post('miniapps', { name: 'Mini', app_id: 'mini', secret_key: aKey });
});

const aKey = 'u9Qd9wV0Z6Ho9_TzCYyVW_WwBJwL7KvSl4k8fmfaLyE=';
const otherKey = `${'A'.repeat(43)}=`;
const longSecret = 'canary-hmac-secret-of-more-than-32-bytes';
const fingerprint = (text: string) => new NodeSecretDigestProvider().fingerprint(text);
const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString();
const privatePem = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const errorsOf = (answer: ManageAnswer) =>
  (answer.body.errors as { path: string; rule: string }[]).map(({ path, rule }) => ({ path, rule }));

const atStart = '2026-01-01T00:00:00.000Z';

describe('rotating a secret key', () => {
  it('makes a new one, shown once, and keeps the previous one for a day', async () => {
    const start = api.clock.now();
    const answer = await api.post('miniapps/mini/rotate', { credential: 'secret_key' });
    expect(answer.status).toBe(200);
    const key = String(answer.body.secret_key);
    expect(Buffer.from(key, 'base64url')).toHaveLength(32);
    expect(answer.body).toMatchObject({ app_id: 'mini', version: 2 });
    expect(answer.body.credentials.secret_key).toEqual({
      current: { fingerprint: fingerprint(key), created_at: new Date(start).toISOString() },
      previous: { fingerprint: fingerprint(aKey), created_at: atStart, valid_until: new Date(start + 86_400_000).toISOString() },
    });
    const { secret_key: _once, ...shown } = answer.body;
    expect((await api.get('miniapps/mini')).body).toEqual(shown);
    expect((await api.deps.miniapps.find('mini'))?.credentials.secret_key?.current?.secret.reveal()).toBe(key);
  });

  it('takes one from elsewhere and does not repeat it', async () => {
    const answer = await api.post('host-apps/host/rotate', { credential: 'secret_key', value: otherKey, previous_valid_for_s: 60 });
    expect([answer.status, answer.text.includes(otherKey)]).toEqual([200, false]);
    expect(answer.body.credentials.secret_key.current.fingerprint).toBe(fingerprint(otherKey));
    expect(answer.body.credentials.secret_key.previous.valid_until).toBe(new Date(api.clock.now() + 60_000).toISOString());
  });

  it('keeps only one previous key, and none if asked for 0 seconds', async () => {
    await api.post('miniapps/mini/rotate', { credential: 'secret_key' });
    const second = await api.post('miniapps/mini/rotate', { credential: 'secret_key', value: otherKey });
    const third = await api.post('miniapps/mini/rotate', { credential: 'secret_key', previous_valid_for_s: 0 });
    expect(second.body.credentials.secret_key.previous.fingerprint).not.toBe(fingerprint(aKey));
    expect(Object.keys(third.body.credentials.secret_key)).toEqual(['current']);
  });
});

describe('a body of rotate, promote or revoke', () => {
  const ids = [undefined, null, 5, true, ['secret_key'], {}, '', 'password'];

  it.each<readonly [string, object, string]>([
    ...ids.map((credential) => ['rotate', { credential }, 'credential'] as const),
    ...ids.map((credential) => ['revoke', { credential, which: 'current' }, 'credential'] as const),
    ...[undefined, null, 1, '', 'last', {}, []].map((which) => ['revoke', { credential: 'secret_key', which }, 'which'] as const),
    ...['60', -1, 1.5, 2_592_001, {}, true].map(
      (s) => ['rotate', { credential: 'secret_key', previous_valid_for_s: s }, 'previous_valid_for_s'] as const,
    ),
    ...[5, {}, [], '', 'short', aKey.slice(1)].map((value) => ['rotate', { credential: 'secret_key', value }, 'value'] as const),
    ...['hmac_secret', 'host_app_secret_key', 'partner_public_key'].map((credential) => ['rotate', { credential }, 'value'] as const),
    ['rotate', { credential: 'hmac_secret', value: 'too-short' }, 'value'],
    ['rotate', { credential: 'hmac_secret', value: pem(rsa.publicKey) }, 'value'],
    ['rotate', { credential: 'partner_public_key', value: 'x' }, 'value'],
    ['rotate', { credential: 'partner_public_key', value: privatePem(rsa.privateKey) }, 'value'],
    ['rotate', { credential: 'platform_key' }, 'credential'],
    ['rotate', { credential: 'platform_key', value: privatePem(rsa.privateKey) }, 'value'],
    ...[1, '', 'previous', {}].map((slot) => ['rotate', { credential: 'secret_key', slot }, 'slot'] as const),
    ['rotate', { credential: 'secret_key', slot: 'next', previous_valid_for_s: 0 }, 'previous_valid_for_s'],
    ['rotate', { credential: 'secret_key', value: aKey }, 'value'],
    ['rotate', { credential: 'secret_key', slot: 'next', value: aKey }, 'value'],
    ['rotate', { credential: 'secret_key', algorithm: 'RSA2' }, 'algorithm'],
    ['rotate', { credential: 'platform_key', algorithm: 'HMAC' }, 'algorithm'],
    ['rotate', { credential: 'hmac_secret', slot: 'next', value: 'too-short' }, 'value'],
    ...ids.map((credential) => ['promote', { credential }, 'credential'] as const),
    ['promote', { credential: 'secret_key', previous_valid_for_s: -1 }, 'previous_valid_for_s'],
    ['promote', { credential: 'secret_key', value: otherKey }, 'value'],
    ['rotate', { credential: 'secret_key', extra: 1 }, 'extra'],
    ['rotate', { credential: 'secret_key', extra: null }, 'extra'],
  ])('is refused: %s %j', async (action, body, path) => {
    const before = await api.kept();
    const answer = await api.post(`host-apps/host/${action}`, body);
    expect([answer.status, errorsOf(answer).map((error) => error.path)]).toEqual([400, [path]]);
    expect(await api.kept()).toBe(before);
  });

  it('has no secret of host apps for miniapps', async () => {
    const before = await api.kept();
    expect((await api.post('miniapps/mini/rotate', { credential: 'host_app_secret_key', value: 'x' })).status).toBe(400);
    expect((await api.post('miniapps/none/rotate', { credential: 'secret_key' })).status).toBe(404);
    expect((await api.post('miniapps/none/revoke', { credential: 'secret_key', which: 'current' })).status).toBe(404);
    expect(await api.kept()).toBe(before);
  });
});

describe('revoking', () => {
  it('takes the current or the previous value away, once', async () => {
    await api.post('miniapps/mini/rotate', { credential: 'secret_key', value: otherKey });
    const previous = await api.post('miniapps/mini/revoke', { credential: 'secret_key', which: 'previous' });
    expect([previous.status, Object.keys(previous.body.credentials.secret_key)]).toEqual([200, ['current']]);
    const again = await api.post('miniapps/mini/revoke', { credential: 'secret_key', which: 'previous' });
    expect([again.status, again.body.type]).toEqual([404, 'urn:pierhead:problem:not-found']);
    const current = await api.post('miniapps/mini/revoke', { credential: 'secret_key', which: 'current' });
    expect([current.status, current.body.credentials]).toEqual([200, {}]);
    expect((await api.auditRows()).map(({ action }) => action)).toEqual([
      'host-app.created',
      'miniapp.created',
      'miniapp.credential-rotated',
      'miniapp.credential-revoked',
      'miniapp.credential-revoked',
    ]);
  });
});

describe('secrets that partners hand over', () => {
  it('are set, kept, replaced and removed by patches', async () => {
    const set = await api.patch('host-apps/host', { host_app_secret_key: 'canary-basic', signature: { hmac_secret: longSecret } });
    expect(set.body.credentials).toMatchObject({
      host_app_secret_key: { current: { fingerprint: fingerprint('canary-basic') } },
      hmac_secret: { current: { fingerprint: fingerprint(longSecret) } },
    });
    const version = set.body.version as number;
    const repeated = await api.patch('host-apps/host', { host_app_secret_key: 'canary-basic', signature: { hmac_secret: longSecret } });
    expect(repeated.body).toEqual(set.body);
    const kept = await api.patch('host-apps/host', { name: 'Other', signature: { encoding: 'hex' } });
    expect(kept.body).toMatchObject({ version: version + 1, credentials: set.body.credentials });
    const removed = await api.patch('host-apps/host', { host_app_secret_key: null, signature: { hmac_secret: null } });
    expect(Object.keys(removed.body.credentials)).toEqual(['secret_key']);
    await api.patch('host-apps/host', { signature: { hmac_secret: longSecret } });
    const reset = await api.patch('host-apps/host', { signature: null });
    expect(Object.keys(reset.body.credentials)).toEqual(['secret_key']);
  });

  it('are rotated with a grace time', async () => {
    await api.patch('host-apps/host', { host_app_secret_key: 'first' });
    const answer = await api.post('host-apps/host/rotate', { credential: 'host_app_secret_key', value: 'second', previous_valid_for_s: 1 });
    expect(answer.body.credentials.host_app_secret_key).toMatchObject({
      current: { fingerprint: fingerprint('second') },
      previous: { fingerprint: fingerprint('first'), valid_until: new Date(api.clock.now() + 1000).toISOString() },
    });
  });

  it('are checked again when an acknowledgement is removed', async () => {
    await api.patch('miniapps/mini', { signature: { hmac_secret: 'brief', acknowledge_weak: true } });
    const answer = await api.patch('miniapps/mini', { signature: { acknowledge_weak: null } });
    expect([answer.status, errorsOf(answer).map(({ path }) => path)]).toEqual([400, ['signature.hmac_secret']]);
  });
});

describe('keys', () => {
  it('of the partner are kept in one form and shown in its key format', async () => {
    const body = {
      signature: {
        algorithm: 'RSA2',
        key_format: 'DER',
        partner_public_key: rsa.publicKey.export({ format: 'pem', type: 'pkcs1' }).toString(),
      },
    };
    const answer = await api.patch('miniapps/mini', body);
    expect(answer.status).toBe(200);
    expect(answer.body.signature.partner_public_key).toBe(derTextOf(pem(rsa.publicKey)));
    expect(answer.body.credentials.partner_public_key.current.fingerprint).toBe(fingerprint(pem(rsa.publicKey)));
    const same = await api.patch('miniapps/mini', { signature: { partner_public_key: pem(rsa.publicKey) } });
    expect(same.body).toEqual(answer.body);
    const shown = await api.patch('miniapps/mini', { signature: { key_format: 'PEM' } });
    expect(shown.body.signature.partner_public_key).toBe(pem(rsa.publicKey));
    const removed = await api.patch('miniapps/mini', { signature: { partner_public_key: null } });
    expect(removed.body.signature).not.toHaveProperty('partner_public_key');
    expect(removed.body.credentials).not.toHaveProperty('partner_public_key');
  });

  it('of the partner must fit the algorithm, now and later', async () => {
    const wrong = await api.patch('miniapps/mini', { signature: { algorithm: 'ECDSA', partner_public_key: pem(rsa.publicKey) } });
    expect(errorsOf(wrong)).toEqual([{ path: 'signature.partner_public_key', rule: 'must be an EC key, as the algorithm is ECDSA' }]);
    expect((await api.patch('miniapps/mini', { signature: { partner_public_key: pem(rsa.publicKey) } })).status).toBe(200);
    expect((await api.patch('miniapps/mini', { signature: { algorithm: 'ECDSA' } })).status).toBe(400);
    expect((await api.patch('miniapps/mini', { signature: { algorithm: 'ECDSA', partner_public_key: pem(ec.publicKey) } })).status).toBe(
      200,
    );
    const rotated = await api.post('miniapps/mini/rotate', { credential: 'partner_public_key', value: pem(rsa.publicKey) });
    expect(errorsOf(rotated)).toEqual([{ path: 'value', rule: 'must be an EC key, as the algorithm is ECDSA' }]);
  });

  it('that are private are refused by name and never repeated', async () => {
    const secret = privatePem(rsa.privateKey);
    const answer = await api.patch('miniapps/mini', { signature: { partner_public_key: secret } });
    expect(errorsOf(answer)).toEqual([
      { path: 'signature.partner_public_key', rule: expect.stringMatching(/private key: retire/) as string },
    ]);
    expect(answer.text).not.toContain(secret.slice(60, 100));
  });

  it.each([
    ['RSA2', 'rsa'],
    ['ECDSA', 'ec'],
  ])('of the platform are made for %s, and their private part never leaves', async (algorithm, type) => {
    const answer = await api.post('miniapps', { name: 'Signs', app_id: 'signs', signature: { algorithm } });
    const key = String(answer.body.signature.platform_public_key);
    expect(createPublicKey(key).asymmetricKeyType).toBe(type);
    expect(answer.body.credentials.platform_key.current.fingerprint).toBe(fingerprint(key));
    const stored = (await api.deps.miniapps.find('signs'))?.credentials.platform_key?.current;
    expect(pem(createPublicKey(stored?.secret.reveal() ?? ''))).toBe(key);
    expect((await api.patch('miniapps/signs', { name: 'Still' })).body.signature.platform_public_key).toBe(key);

    const own = await api.patch('miniapps/signs', { signature: { partner_public_key: key } });
    expect(errorsOf(own)).toEqual([{ path: 'signature.partner_public_key', rule: "is the platform's own public key: send the partner's" }]);

    const rotated = await api.post('miniapps/signs/rotate', { credential: 'platform_key' });
    expect(rotated.body.signature.platform_public_key).not.toBe(key);
    expect(rotated.body.credentials.platform_key.previous).toMatchObject({ fingerprint: fingerprint(key) });
    for (const { text } of [answer, rotated, await api.get('miniapps/signs')]) expect(text).not.toContain('PRIVATE');
  });

  it('of the platform are replaced when the algorithm changes', async () => {
    const made = await api.post('miniapps', { name: 'Signs', app_id: 'signs', signature: { algorithm: 'ECDSA', key_format: 'DER' } });
    const changed = await api.patch('miniapps/signs', { signature: { algorithm: 'RSA2' } });
    const key = Buffer.from(String(changed.body.signature.platform_public_key), 'base64');
    expect(createPublicKey({ key, format: 'der', type: 'spki' }).asymmetricKeyType).toBe('rsa');
    expect(changed.body.credentials.platform_key.current.fingerprint).not.toBe(made.body.credentials.platform_key.current.fingerprint);
  });
});

it('shows a secret once: not in later answers, the audit trail or the tables', async () => {
  const handed = ['canary-basic-secret', longSecret, otherKey];
  const texts: string[] = [];
  const note = (answer: ManageAnswer) => texts.push(answer.text);
  const created = await api.post('host-apps', {
    name: 'Canary',
    client_id: 'canary',
    host_app_secret_key: handed[0],
    signature: { algorithm: 'HMAC', hmac_secret: handed[1] },
  });
  const made = String(created.body.secret_key);
  expect(created.text.split(made)).toHaveLength(2);
  const rotated = await api.post('host-apps/canary/rotate', { credential: 'secret_key' });
  const madeLater = String(rotated.body.secret_key);
  texts.push(created.text.replace(made, ''), rotated.text.replace(madeLater, ''));
  note(await api.post('host-apps/canary/rotate', { credential: 'secret_key', value: handed[2] }));
  note(await api.patch('host-apps/canary', { name: 'Again', signature: { hash: 'SHA-384' } }));
  note(await api.post('host-apps/canary/revoke', { credential: 'secret_key', which: 'previous' }));
  note(await api.get('host-apps/canary'));
  note(await api.get('host-apps'));
  note(await api.delete('host-apps/canary'));
  texts.push(await api.kept(), JSON.stringify(await api.auditRows()), JSON.stringify(api.logged));
  for (const secret of [...handed, made, madeLater]) expect(texts.join('\n')).not.toContain(secret);
});
