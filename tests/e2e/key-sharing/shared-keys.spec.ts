import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { T } from '../../../src/composition/tokens/tokens';
import type { AccountRole } from '../../../src/domain/accounts/account';
import type { Pair } from '../../support/signatures/a-pair';
import type { Reply } from '../../support/service/service';
import { accepted, publicBase, refused, SignedCalls, verdictOf } from '../../support/signatures/signed-calls';
import { anAccountOf, headersOf } from '../../support/service/signed-in';
import { SigningPartner } from '../../support/signatures/signing-partner';

let calls: SignedCalls;
beforeAll(async () => {
  calls = await SignedCalls.open();
}, 30_000);
afterAll(() => calls.close());

const agreed = { payload_template: '{request_method}.{url}.{client_id}.{timestamp}.{nonce}.{payload}', nonce_length: 20 };
const manage = (method: string, path: string, body?: unknown) => calls.service.manage(method, path, body);
const errorsOf = ({ status, body }: Reply) => [
  status,
  (body.errors as { path: string; cause: string }[]).map(({ path, cause }) => [path, cause]),
];
const miniapp = (signature: object) => manage('POST', 'miniapps', { name: 'Mini', signature });
const credentialsOf = async (path: string) =>
  (await manage('GET', `${path}/credentials`)).body.data.find((one: { credential: string }) => one.credential === 'partner_public_key')
    .values;

/** Two pairs whose miniapps sign with one key. */
async function sharing(): Promise<{ one: SigningPartner; two: SigningPartner; ofOne: Pair; ofTwo: Pair }> {
  const one = SigningPartner.withRsaKey({ ...agreed, api_client_id: 'one' });
  const two = one.agreeing({ api_client_id: 'two' });
  const [ofOne, ofTwo] = [await calls.signing(one), await calls.signing(two, { acknowledge_shared_key: true })];
  return { one, two, ofOne, ofTwo };
}

/** Headers of somebody who works in this role. */
async function signedIn(role: AccountRole): Promise<Record<string, string>> {
  const { container } = calls.service.composed;
  const records = { accounts: container.get(T.postgresAccounts), sessions: container.get(T.postgresSessions) };
  return headersOf(records, (await anAccountOf(records, role)).id, publicBase, calls.clock.now());
}

describe('a key of two apps of the operator', () => {
  it('is refused with a hint, until the operator acknowledges that it is shared', async () => {
    const one = SigningPartner.withRsaKey({ ...agreed, api_client_id: 'one' });
    await calls.signing(one);
    const signature = { ...one.settings, api_client_id: 'two' };
    const answer = await miniapp(signature);
    expect(errorsOf(answer)).toEqual([400, [['signature.partner_public_key', 'key-in-use']]]);
    expect(answer.body.errors[0].rule).toContain('acknowledge_shared_key');
    expect((await miniapp({ ...signature, acknowledge_shared_key: true })).status).toBe(201);
  });

  it('proves the calls of both, each under its own api_client_id alone', async () => {
    const { one, two, ofOne, ofTwo } = await sharing();
    expect(verdictOf(await calls.create(ofOne, one))).toEqual(accepted);
    expect(verdictOf(await calls.create(ofTwo, two))).toEqual(accepted);
    expect(verdictOf(await calls.create(ofTwo, one))).toEqual(refused('X-Client-Id'));
    expect(verdictOf(await calls.create(ofTwo, one, { headers: { 'X-Client-Id': 'two' } }))).toEqual(refused('signature'));
  });

  it('takes a nonce once, whichever of the two sends it', async () => {
    const { one, two, ofOne, ofTwo } = await sharing();
    const nonce = '0123456789abcdefABCD';
    expect(verdictOf(await calls.create(ofOne, one, { nonce }))).toEqual(accepted);
    expect(verdictOf(await calls.create(ofTwo, two, { nonce }))).toEqual(refused('nonce-used'));
    expect(verdictOf(await calls.create(ofTwo, two))).toEqual(accepted);
  });

  it('is shown as shared by both, and audited where it became so', async () => {
    const { ofOne, ofTwo } = await sharing();
    for (const { appId } of [ofOne, ofTwo])
      expect(await credentialsOf(`miniapps/${appId}`)).toMatchObject([{ slot: 'current', shared: true }]);
    const actions = async ({ appId }: Pair) =>
      (await manage('GET', `audit?subject=miniapp:${appId}`)).body.data.map(({ action }: { action: string }) => action);
    expect(await actions(ofTwo)).toEqual(['miniapp.key-shared', 'miniapp.created']);
    expect(await actions(ofOne)).not.toContain('miniapp.key-shared');
  });

  it('is refused with settings that do not tell the apps apart, at once and later', async () => {
    const { one, ofOne, ofTwo } = await sharing();
    const acknowledged = { ...one.settings, acknowledge_shared_key: true };
    const patch = (signature: object) => manage('PATCH', `miniapps/${ofTwo.appId}`, { signature });
    for (const answer of [await miniapp(acknowledged), await patch({ api_client_id: 'one' }), await patch({ api_client_id: null })]) {
      expect(errorsOf(answer)).toEqual([400, [['signature.api_client_id', 'shared-key']]]);
    }
    const template = { payload_template: '{request_method}.{url}.{timestamp}.{nonce}.{payload}' };
    for (const answer of [await miniapp({ ...acknowledged, ...template, api_client_id: 'three' }), await patch(template)]) {
      expect(errorsOf(answer)).toEqual([400, [['signature.payload_template', 'shared-key']]]);
    }
    expect((await manage('PATCH', `miniapps/${ofOne.appId}`, { name: 'Renamed' })).status).toBe(200);
  });

  it.each(['current', 'next'])('is rotated into the slot %s, promoted and proved without another word', async (slot) => {
    const { one } = await sharing();
    const path = `miniapps/${String((await miniapp({ ...agreed, algorithm: 'RSA2', api_client_id: 'three' })).body.app_id)}`;
    const change = { credential: 'partner_public_key', slot, value: one.handedOver['partner_public_key'] };
    expect(errorsOf(await manage('POST', `${path}/rotate`, change))).toEqual([400, [['value', 'key-in-use']]]);
    expect((await manage('POST', `${path}/rotate`, { ...change, acknowledge_shared_key: true })).status).toBe(200);
    if (slot === 'next') expect((await manage('POST', `${path}/promote`, { credential: 'partner_public_key' })).status).toBe(200);
    const own = SigningPartner.withRsaKey().handedOver['partner_public_key'];
    expect((await manage('POST', `${path}/rotate`, { ...change, slot: 'current', value: own })).status).toBe(200);
    const values = await credentialsOf(path);
    expect(values).toMatchObject([{ slot: 'current' }, { slot: 'previous', shared: true }]);
    expect(values[0]).not.toHaveProperty('shared');
  });
});

describe('a key of an app of another owner', () => {
  const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString();
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const value = pem(publicKey);
  const signed = (challenge: string, key = privateKey) => sign('sha256', Buffer.from(challenge), key).toString('base64');
  let other: string;
  beforeAll(async () => {
    const signature = { ...agreed, algorithm: 'RSA2', api_client_id: 'other', partner_public_key: value };
    other = String((await miniapp(signature)).body.app_id);
  });

  /** An app of its own, and the calls of somebody who works for it. */
  async function partner(kind: 'host-app' | 'miniapp') {
    const signature = { ...agreed, algorithm: 'RSA2', api_client_id: `own of ${kind}` };
    const { body } = await manage('POST', `${kind}s`, { name: 'Own', signature });
    const id = String(kind === 'host-app' ? body.client_id : body.app_id);
    const headers = await signedIn(kind === 'host-app' ? { role: kind, clientId: id } : { role: kind, appId: id });
    return (method: string, path: string, sent?: unknown) =>
      calls.service.call(method, `/manage/v1/${kind}s/${id}${path}`, { headers, body: sent });
  }
  const change = { credential: 'partner_public_key', value, acknowledge_shared_key: true };

  it.each(['host-app', 'miniapp'] as const)('is taken from a %s after a proof of possession alone', async (kind) => {
    const own = await partner(kind);
    const patched = await own('PATCH', '', { signature: { partner_public_key: value, acknowledge_shared_key: true } });
    expect(errorsOf(patched)).toEqual([400, [['signature.partner_public_key', 'shared-key-proof']]]);
    expect(errorsOf(await own('POST', '/rotate', change))).toEqual([400, [['value', 'shared-key-proof']]]);
    const { challenge } = (await own('POST', '/challenge', { credential: 'partner_public_key', value })).body;
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const wrong = await own('POST', '/rotate', { ...change, challenge, signature: signed(challenge, stranger) });
    expect(errorsOf(wrong)).toEqual([400, [['signature', 'proof']]]);
    const silent = await own('POST', '/rotate', { ...change, acknowledge_shared_key: false, challenge, signature: signed(challenge) });
    expect(errorsOf(silent)).toEqual([400, [['value', 'key-in-use']]]);
    const taken = await own('POST', '/rotate', { ...change, challenge, signature: signed(challenge) });
    expect(taken.status).toBe(200);
    expect(taken.body.credentials.partner_public_key.current.proven_at).toBeDefined();
    for (const answer of [patched, wrong, silent, taken, await own('GET', '/credentials'), await own('GET', '')]) {
      expect(answer.text).not.toContain(other);
    }
  });

  it('is not taken with half a proof, or with a proof of another app', async () => {
    const [own, another] = [await partner('miniapp'), await partner('miniapp')];
    const { challenge } = (await another('POST', '/challenge', { credential: 'partner_public_key', value })).body;
    const moved = await own('POST', '/rotate', { ...change, challenge, signature: signed(challenge) });
    expect(moved.body.errors).toMatchObject([{ path: 'challenge' }]);
    expect((await another('POST', '/rotate', { ...change, challenge })).body.errors).toMatchObject([{ path: 'signature' }]);
    expect((await another('POST', '/rotate', { ...change, signature: 'AAAA' })).body.errors).toMatchObject([{ path: 'challenge' }]);
  });

  it('is taken with settings that are tried as it is with a change of settings', async () => {
    const { body } = await miniapp({ ...agreed, algorithm: 'RSA2', api_client_id: 'tries' });
    const dryRun = (more: object) =>
      manage('PUT', `miniapps/${String(body.app_id)}/signature-dry-run`, {
        ...{ mode: 'observe', signature: { enabled: true, partner_public_key: value, hash: 'SHA-512', ...more } },
      });
    expect(errorsOf(await dryRun({}))).toEqual([400, [['signature.partner_public_key', 'key-in-use']]]);
    const same = await dryRun({ acknowledge_shared_key: true, api_client_id: 'other' });
    expect(errorsOf(same)).toEqual([400, [['signature.api_client_id', 'shared-key']]]);
    expect((await dryRun({ acknowledge_shared_key: true })).status).toBe(200);
  });
});
