import { createHmac, generateKeyPairSync, sign, verify } from 'node:crypto';
import { sealCbc } from '../../support/signatures/sealed-payload';
import { testManageApi } from '../../support/service/manage-api';

const hmacSecret = 'a-shared-secret-of-32-bytes-or-more!';
const templated = { enabled: true, algorithm: 'HMAC', hmac_secret: hmacSecret, api_client_id: 'shop' };

const api = testManageApi();
beforeEach(() => api.wipe());

const pair = (bits = 2048) => generateKeyPairSync('rsa', { modulusLength: bits });
const pem = (key: { export(options: object): string | Buffer }): string => key.export({ type: 'spki', format: 'pem' }).toString();

async function signedMiniapp(signature: object = templated): Promise<string> {
  const made = await api.post('miniapps', { name: 'Shop', url: 'https://shop.example/', signature });
  expect(made.status).toBe(201);
  return `miniapps/${String(made.body.app_id)}`;
}

describe('the credentials of a partner', () => {
  it('are shown with direction, method, type, size and uses, but without a value', async () => {
    const path = await signedMiniapp();
    const { body, text } = await api.get(`${path}/credentials`);
    expect(body.data).toMatchObject([
      { credential: 'secret_key', direction: 'out', method: 'Basic', is_active: false, values: [{ slot: 'current', removal: 'safe' }] },
      {
        ...{ credential: 'hmac_secret', direction: 'both', method: 'HMAC', is_active: true },
        values: [{ slot: 'current', key_type: 'secret', bits: 288, removal: 'needed', callers: [] }],
      },
    ]);
    expect(text).not.toContain(hmacSecret);
  });

  it('shows who still uses a replaced value', async () => {
    const path = await signedMiniapp();
    const [id = ''] = path.split('/').slice(1);
    const stored = (await api.deps.miniapps.find(id))!.credentials.hmac_secret!.current!;
    const use = { partner: 'miniapp', id, kind: 'hmac_secret', value: stored, address: '198.51.100.7' } as const;
    await api.post(`${path}/rotate`, { credential: 'hmac_secret', value: 'another-secret-of-32-bytes-or-more!!' });
    api.deps.callers.used(use);
    await api.deps.callers.flush();
    const { data } = (await api.get(`${path}/credentials`)).body;
    const previous = data[1].values.find(({ slot }: { slot: string }) => slot === 'previous');
    expect(previous.callers).toMatchObject([{ address: '198.51.100.7', uses: 1 }]);
  });
});

describe('proof of possession', () => {
  it('is a signature of the challenge with the new private key, noted and audited', async () => {
    const [old, next] = [pair(), pair()];
    const path = await signedMiniapp({ ...templated, algorithm: 'RSA2', hmac_secret: undefined, partner_public_key: pem(old.publicKey) });
    await api.post(`${path}/rotate`, { credential: 'partner_public_key', slot: 'next', value: pem(next.publicKey) });
    const { challenge, algorithm } = (await api.post(`${path}/challenge`, { credential: 'partner_public_key' })).body;
    expect(algorithm).toBe('RSA2');
    const proof = (key: typeof old) => ({
      ...{ credential: 'partner_public_key', challenge },
      signature: sign('sha256', Buffer.from(challenge), key.privateKey).toString('base64'),
    });
    const wrong = await api.post(`${path}/prove`, proof(old));
    expect([wrong.status, wrong.body.errors]).toEqual([400, [expect.objectContaining({ path: 'signature', cause: 'proof' })]]);
    const right = await api.post(`${path}/prove`, proof(next));
    expect(right.body.credentials.partner_public_key.next.proven_at).toBeDefined();
    expect((await api.auditRows()).at(-1)).toMatchObject({ action: 'miniapp.credential-proven' });
    const promoted = await api.post(`${path}/promote`, { credential: 'partner_public_key' });
    expect(promoted.body.credentials.partner_public_key.current.proven_at).toBeDefined();
  });

  it('takes an HMAC of the challenge in hex, whatever encoding is agreed', async () => {
    const path = await signedMiniapp();
    const { challenge } = (await api.post(`${path}/challenge`, { credential: 'hmac_secret', slot: 'current' })).body;
    const signature = createHmac('sha256', hmacSecret).update(challenge).digest('hex');
    expect((await api.post(`${path}/prove`, { credential: 'hmac_secret', slot: 'current', challenge, signature })).status).toBe(200);
  });

  it('refuses a challenge of another app, and one of yesterday', async () => {
    const [path, other] = [await signedMiniapp(), await signedMiniapp({ ...templated, hmac_secret: `${hmacSecret}!` })];
    const slotBody = { credential: 'hmac_secret', slot: 'current' };
    const { challenge } = (await api.post(`${path}/challenge`, slotBody)).body;
    const signature = createHmac('sha256', hmacSecret).update(challenge).digest('hex');
    const moved = await api.post(`${other}/prove`, { ...slotBody, challenge, signature });
    expect(moved.body.errors).toMatchObject([{ path: 'challenge' }]);
    api.clock.advance(86_400_000);
    expect((await api.post(`${path}/prove`, { ...slotBody, challenge, signature })).body.errors).toMatchObject([{ path: 'challenge' }]);
  });

  it('is given by the platform, too: a sample under its own key', async () => {
    const path = await signedMiniapp({
      ...templated,
      algorithm: 'RSA2',
      hmac_secret: undefined,
      partner_public_key: pem(pair().publicKey),
    });
    const { text, signature, public_key: key } = (await api.post(`${path}/sample`, {})).body;
    expect(verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64'))).toBe(true);
    expect((await api.post(`${path}/sample`, { slot: 'next' })).status).toBe(404);
  });
});

describe('a host app', () => {
  it("proves possession, checks the platform's key and tries settings like a miniapp", async () => {
    const { body: made } = await api.post('host-apps', { name: 'Harbour', signature: templated });
    const path = `host-apps/${String(made.client_id)}`;
    const slotBody = { credential: 'hmac_secret', slot: 'current' };
    const { challenge } = (await api.post(`${path}/challenge`, slotBody)).body;
    const signature = createHmac('sha256', hmacSecret).update(challenge).digest('hex');
    const proven = await api.post(`${path}/prove`, { ...slotBody, challenge, signature });
    expect(proven.body.credentials.hmac_secret.current.proven_at).toBeDefined();
    expect((await api.post(`${path}/revoke`, { credential: 'secret_key', which: 'previous' })).status).toBe(404);

    const dryRun = `${path}/signature-dry-run`;
    const key = pair().publicKey;
    const terms = { algorithm: 'RSA2', partner_public_key: pem(key) };
    expect((await api.put(dryRun, { mode: 'accept', signature: terms })).body).toMatchObject({ mode: 'accept', key_slot: 'current' });
    expect((await api.get(dryRun)).body.report.counts).toEqual({ passed: 0, refused: 0, gained: 0 });
    expect((await api.post(`${dryRun}/promote`, {})).body.signature).toMatchObject({ algorithm: 'RSA2', partner_public_key: pem(key) });
    expect((await api.delete(dryRun)).status).toBe(204);
    const { text, signature: ours, public_key: platformKey } = (await api.post(`${path}/sample`, {})).body;
    expect(verify('sha256', Buffer.from(text), platformKey, Buffer.from(ours, 'base64'))).toBe(true);
  });
});

describe('signatures/sign and explain, with given settings', () => {
  const request = { method: 'post', target: '/api/v1/orders/create?x=1', body: '{ "amount": 10.00 }' };
  const signature = { algorithm: 'HMAC', hmac_secret: hmacSecret, api_client_id: 'shop' };

  it('shows the text and the headers that the explainer then finds right', async () => {
    const signed = (await api.post('signatures/sign', { signature, request })).body;
    expect(signed.signed_string).toContain('POST.https://platform.example/api/v1/orders/create?x=1.shop.');
    expect(signed.signed_string).toContain('{"amount":10.00}');
    expect(Object.keys(signed.code)).toEqual(['typescript', 'python', 'java', 'go', 'php', 'shell']);
    expect(Object.keys(signed.checking_code)).toEqual(Object.keys(signed.code));
    const received_at = new Date(api.clock.now()).toISOString();
    const explained = await api.post('signatures/explain', {
      signature,
      request: { ...request, method: 'POST', headers: signed.headers },
      received_at,
    });
    expect(explained.body).toMatchObject({ verdict: 'fits', code: signed.code, checking_code: signed.checking_code });
  });

  it.each(['RSA2', 'ECDSA'])('signs %s with a key pair that is made for the answer alone', async (algorithm) => {
    const scheme = { algorithm, api_client_id: 'shop' };
    const signed = (await api.post('signatures/sign', { signature: scheme, throwaway_key: true, request })).body;
    const given = { ...scheme, partner_public_key: signed.public_key };
    const received_at = new Date(api.clock.now()).toISOString();
    const sent = { ...request, method: 'POST', headers: signed.headers };
    expect((await api.post('signatures/explain', { signature: given, request: sent, received_at })).body).toMatchObject({
      verdict: 'fits',
    });
  });

  it('does not sign with a stored secret for who is not its owner', async () => {
    const path = await signedMiniapp();
    const signed = (await api.post('signatures/sign', { app_id: path.split('/')[1], request })).body;
    expect(signed.signed_string).toContain('.shop.');
    expect(signed.signature).toBeUndefined();
  });

  it('refuses a template that could not be stored, and a target that is no path', async () => {
    const broken = await api.post('signatures/sign', { signature: { ...signature, payload_template: '{nothing}' }, request });
    expect(broken.body.errors).toMatchObject([{ path: 'signature.payload_template' }]);
    const target = await api.post('signatures/sign', { signature, request: { ...request, target: 'orders' } });
    expect(target.body.errors).toMatchObject([{ path: 'request.target' }]);
  });
});

describe('payloads/open', () => {
  const key = Buffer.alloc(32, 5).toString('base64url') + '=';

  it('opens a payload under a given key, and says why it does not under another', async () => {
    const payload = sealCbc('{"reference":"u-1"}', key).toString('base64');
    const opened = await api.post('payloads/open', { payload, client_id: 'host_1', secret_key: key });
    expect(opened.body).toMatchObject({ opens: true, cipher: 'AES-256-CBC', plain: '{"reference":"u-1"}' });
    const other = Buffer.alloc(32, 6).toString('base64url') + '=';
    expect((await api.post('payloads/open', { payload, client_id: 'host_1', secret_key: other })).body).toMatchObject({ opens: false });
  });

  it('opens nothing under a stored key for who is not its owner', async () => {
    const made = await api.post('host-apps', { name: 'Host' });
    const refused = await api.post('payloads/open', { payload: 'AAAA', client_id: made.body.client_id });
    expect([refused.status, refused.body.errors]).toEqual([400, [expect.objectContaining({ path: 'secret_key' })]]);
  });
});

describe('the allowlist of a partner', () => {
  const ip_whitelist = { enabled: true, addresses: ['198.51.100.0/24', '2000::/3'], labels: { '198.51.100.0/24': 'Data centre' } };

  async function called(): Promise<string> {
    const made = await api.post('host-apps', { name: 'Host', ip_whitelist });
    const partner = { kind: 'host-app', id: made.body.client_id } as const;
    const call = (address: string, outcome: 'admitted' | 'refused') =>
      api.deps.callers.called({ partner, address, outcome, requestId: `r-${address}` });
    for (let i = 0; i < 3; i++) call('198.51.100.9', 'admitted');
    call('192.0.2.1', 'refused');
    await api.deps.callers.flush();
    return `host-apps/${partner.id}`;
  }

  it("shows hits, labels, wide networks, refused callers and the caller's own address", async () => {
    const { body } = await api.get(`${await called()}/ip-whitelist`);
    expect(body).toMatchObject({
      enabled: true,
      entries: [
        { entry: '198.51.100.0/24', label: 'Data centre', wide: false, hits: 3 },
        { entry: '2000::/3', wide: true, hits: 0 },
      ],
      refused: [{ address: '192.0.2.1', count: 1, last_request_id: 'r-192.0.2.1' }],
      your_address: '203.0.113.50',
      trusted_proxies: ['10.0.0.0/8'],
    });
  });

  it('tries another list on the calls that came', async () => {
    const path = await called();
    const trial = (addresses: readonly string[]) => api.post(`${path}/ip-whitelist/trial`, { addresses });
    expect((await trial(['192.0.2.0/24'])).body).toMatchObject({ calls: 4, refused: 3, callers: [{ address: '198.51.100.9' }] });
    expect((await trial(['0.0.0.0/0'])).body).toMatchObject({ calls: 4, refused: 0, callers: [] });
    expect((await trial(['198.51.100.1/24'])).body.errors).toMatchObject([{ path: 'addresses[0]' }]);
    const nobodyCalled = await api.post(`${await signedMiniapp()}/ip-whitelist/trial`, { addresses: ['0.0.0.0/0'] });
    expect(nobodyCalled.body).toMatchObject({ calls: 0, refused: 0, callers: [] });
  });

  it('keeps labels in a patch, and drops one whose entry goes', async () => {
    const path = await called();
    const one = await api.patch(path, { ip_whitelist: { labels: { '2000::/3': 'Branch' } } });
    expect(one.body.ip_whitelist.labels).toEqual({ '198.51.100.0/24': 'Data centre', '2000::/3': 'Branch' });
    const two = await api.patch(path, { ip_whitelist: { addresses: ['2000::/3'] } });
    expect(two.body.ip_whitelist).toEqual({ enabled: true, addresses: ['2000::/3'], labels: { '2000::/3': 'Branch' } });
  });
});
