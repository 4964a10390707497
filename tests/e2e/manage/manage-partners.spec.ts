import { NodeSecretDigestProvider } from '../../../src/adapters/out/signing/secret-digest-provider';
import { testManageApi, type ManageAnswer } from '../../support/service/manage-api';

const api = testManageApi();
beforeEach(() => api.wipe());

const aKey = 'u9Qd9wV0Z6Ho9_TzCYyVW_WwBJwL7KvSl4k8fmfaLyE=';
const fingerprint = (text: string) => new NodeSecretDigestProvider().fingerprint(text);
const errorsOf = (answer: ManageAnswer) => answer.body.errors as { path: string; rule: string }[];

const wholeHostApp = {
  name: 'Super app',
  logo: 'https://static.example/logo.png',
  basic_auth_validation: false,
  basic_with_signature: true,
  host_app_client_id: 'platform@host',
  credential_scheme: 'Token',
  access_token_url: 'https://host.example/token',
  refresh_token_url: 'https://host.example/refresh',
  user_data_url: 'https://host.example/user',
  create_order_payment_url: 'https://host.example/pay',
  get_order_payment_status_url: 'https://host.example/status',
  events_bridge_url: 'https://host.example/events',
  access_token_prefix: 'Bearer',
  use_access_token: true,
  client_access_token_url: 'https://host.example/client',
  client_access_token_scope: 'pay read',
  consent_in_popup: true,
  server_side_sign_on: true,
  consent_required: true,
  public_revoke: true,
  is_consent_enabled: true,
  consent_text: 'We share your name.\nAgreed?',
  colors: { primary: '#fff', 'on-primary': 'red' },
  consent_links: [{ title: 'Terms', url: 'https://host.example/terms' }],
  payload_cipher: 'gcm',
  reconcile_max_per_second: 50,
  ip_whitelist: { enabled: true, addresses: ['203.0.113.7', '2001:db8::/32'] },
  features: { sso: true, payments: false },
  signature: {
    enabled: true,
    algorithm: 'HMAC',
    hash: 'SHA-512',
    encoding: 'hex',
    timestamp_precision: 'nanoseconds',
    nonce_length: 32,
    identity: 'id-1',
    header_names: { signature: 'Authorization', timestamp: 'X-T', client_id: 'X-C', nonce: 'X-N', identity: 'X-I', merchant_id: 'X-M' },
    payload_template: '{request_method}\n{url}\n{client_id}\n{timestamp}\n{nonce}\n{identity}\n{merchant_id}\n{payload}',
    signature_template: 'Signature {signature}',
    url_form: 'path',
    payload_spaces: true,
    payload_sort_keys: true,
    payload_ascii: true,
    key_format: 'DER',
    api_client_id: 'cid_1',
    acknowledge_weak: true,
  },
};

const wholeMiniapp = {
  name: 'Shop',
  logo: 'https://static.example/shop.png',
  url: 'https://shop.example/',
  kind: 'commerce',
  required_user_fields: ['email', 'custom_attributes'],
  get_auth_token_url: 'https://shop.example/auth',
  webhook_url: 'https://shop.example/hook',
  events_bridge_url: 'https://shop.example/events',
  white_listed_urls: ['https://shop.example/*'],
  ip_whitelist: { enabled: false, addresses: ['198.51.100.0/24'] },
  features: { sso: true, payments: true, events: false },
  signature: wholeHostApp.signature,
};

const kinds = [
  { path: 'host-apps', idMember: 'client_id', idForm: /^host_[A-Za-z0-9]{12}$/, whole: wholeHostApp, subject: 'host-app' },
  { path: 'miniapps', idMember: 'app_id', idForm: /^app_[A-Za-z0-9]{6}$/, whole: wholeMiniapp, subject: 'miniapp' },
] as const;

describe.each(kinds)('$path', ({ path, idMember, idForm, whole, subject }) => {
  const create = async (body: object = {}) => {
    const answer = await api.post(path, { name: 'One', ...body });
    expect(answer.status).toBe(201);
    return { answer, id: String(answer.body[idMember]), at: `${path}/${String(answer.body[idMember])}` };
  };

  it('get an id and a secret key, shown once', async () => {
    const { answer, id, at } = await create();
    const key = String(answer.body.secret_key);
    expect(id).toMatch(idForm);
    expect(key).toMatch(/^[A-Za-z0-9_-]{43}=$/);
    expect(Buffer.from(key, 'base64url')).toHaveLength(32);
    expect([answer.headers.get('location'), answer.headers.get('etag')]).toEqual([`/manage/v1/${at}`, '"1"']);
    const current = { fingerprint: fingerprint(key), created_at: '2026-01-01T00:00:00.000Z' };
    expect(answer.body.credentials).toEqual({ secret_key: { current } });

    const { secret_key: _once, ...shown } = answer.body;
    const again = await api.get(at);
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([200, shown, '"1"']);
    expect(JSON.stringify(await api.auditRows())).not.toContain(key);
  });

  it('keep an id and a secret key from elsewhere', async () => {
    const { answer } = await create({ [idMember]: 'from-Elsewhere_1', secret_key: aKey });
    expect(answer.body).toMatchObject({ [idMember]: 'from-Elsewhere_1', secret_key: aKey });
    const before = await api.kept();
    const taken = await api.post(path, { name: 'Two', [idMember]: 'from-Elsewhere_1' });
    expect([taken.status, taken.body.type, errorsOf(taken)]).toEqual([
      409,
      'urn:pierhead:problem:conflict',
      [{ path: idMember, rule: 'is taken' }],
    ]);
    expect(await api.kept()).toBe(before);
  });

  it.each([
    ['a number', 5],
    ['a list', ['host_1']],
    ['an object', { $ne: 1 }],
    ['a flag', true],
    ['empty', ''],
    ['too long', 'x'.repeat(65)],
    ['with a slash', 'a/b'],
    ['with a dot', 'a.b'],
    ['with a colon', 'a:b'],
    ['with a line end', 'a\n'],
    ['not ASCII', 'ä'],
  ])('refuse an id that is %s', async (_what, id) => {
    const before = await api.kept();
    const answer = await api.post(path, { name: 'One', [idMember]: id });
    expect([answer.status, errorsOf(answer).map((error) => error.path)]).toEqual([400, [idMember]]);
    expect(await api.kept()).toBe(before);
  });

  it.each([
    ['a number', 5],
    ['a list', [aKey]],
    ['empty', ''],
    ['short', 'c2VjcmV0'],
    ['without padding', aKey.slice(0, -1)],
    ['in the other alphabet', aKey.replaceAll('_', '/')],
    ['with spare bits', `${aKey.slice(0, -2)}F=`],
    ['with a line end', `${aKey}\n`],
  ])('refuse a secret key that is %s, and do not repeat it', async (_what, key) => {
    const before = await api.kept();
    const answer = await api.post(path, { name: 'One', secret_key: key });
    expect([answer.status, errorsOf(answer).map((error) => error.path)]).toEqual([400, ['secret_key']]);
    if (typeof key === 'string' && key !== '') expect(answer.text).not.toContain(key);
    expect(await api.kept()).toBe(before);
  });

  it('show every setting as it was given, and null as if it was absent', async () => {
    const { answer, at } = await create(whole);
    expect(answer.body).toMatchObject(whole);
    expect((await api.get(at)).body).toMatchObject(whole);
    const bare = await create({
      ...Object.fromEntries(Object.keys(whole).map((name) => [name, null])),
      name: 'One',
      [idMember]: null,
      secret_key: null,
    });
    const { answer: plain } = await create();
    const visible = ({ body }: ManageAnswer) => ({ ...body, [idMember]: '', secret_key: '', credentials: '' });
    expect(visible(bare.answer)).toEqual(visible(plain));
  });

  it('take their own view back without a change', async () => {
    const { at } = await create(whole);
    const before = await api.kept();
    const view = (await api.get(at)).body;
    const answer = await api.patch(at, view);
    expect([answer.status, answer.body]).toEqual([200, view]);
    expect((await api.patch(at, {})).body).toEqual(view);
    expect(await api.kept()).toBe(before);
  });

  it('change by a merge patch: named members change, null restores the default', async () => {
    const { at } = await create({ ...whole, name: 'Before' });
    const patched = await api.patch(at, {
      name: 'After',
      features: { events: true, payments: null },
      ip_whitelist: { enabled: true },
      logo: null,
      signature: { hash: null, header_names: { nonce: 'X-Once' } },
    });
    expect(patched.status).toBe(200);
    expect(patched.headers.get('etag')).toBe('"2"');
    const { logo: _gone, ...rest } = whole;
    expect(patched.body).toMatchObject({
      ...rest,
      name: 'After',
      version: 2,
      features: { sso: true, events: true },
      ip_whitelist: { ...whole.ip_whitelist, enabled: true },
      signature: { ...whole.signature, hash: 'SHA-256', header_names: { ...whole.signature.header_names, nonce: 'X-Once' } },
    });
    expect(patched.body).not.toHaveProperty('logo');
    expect(patched.body.features).not.toHaveProperty('payments');
    expect((await api.get(at)).body).toEqual(patched.body);
  });

  it('check a patch as a whole: an invalid one changes nothing', async () => {
    const { at } = await create({ signature: { hash: 'MD5', acknowledge_weak: true } });
    const before = await api.kept();
    const answer = await api.patch(at, { name: 'New', signature: { acknowledge_weak: false } });
    expect([answer.status, errorsOf(answer)]).toEqual([400, [{ path: 'signature.hash', rule: 'MD5 is weak and needs acknowledge_weak' }]]);
    expect((await api.patch(at, { name: null })).status).toBe(400);
    expect(await api.kept()).toBe(before);
  });

  it('refuse changes of their id and of platform values', async () => {
    const { at } = await create({ signature: { algorithm: 'ECDSA' } });
    const before = await api.kept();
    const wrong = { [idMember]: 'another', secret_key: aKey, signature: { platform_public_key: 'another' } };
    const answer = await api.patch(at, wrong);
    expect(answer.status).toBe(400);
    expect(
      errorsOf(answer)
        .map((error) => error.path)
        .sort(),
    ).toEqual([idMember, 'secret_key', 'signature.platform_public_key'].sort());
    for (const read of [{ version: 1 }, { credentials: {} }, { warnings: [] }, { signature: { platform_public_key: 'x' } }]) {
      expect((await api.post(path, { name: 'One', ...read })).status).toBe(400);
    }
    expect(await api.kept()).toBe(before);
  });

  it('honour If-Match', async () => {
    const { at } = await create();
    const patch = (tag: string, name: string) => api.patch(at, { name }, { headers: { 'if-match': tag } });
    expect((await patch('"1"', 'a')).status).toBe(200);
    const before = await api.kept();
    const stale = await patch('"1"', 'b');
    expect([stale.status, stale.body.type, stale.headers.get('etag')]).toEqual([412, 'urn:pierhead:problem:precondition-failed', '"2"']);
    expect((await patch('W/"2"', 'b')).status).toBe(412);
    expect((await patch('2', 'b')).status).toBe(400);
    expect(await api.kept()).toBe(before);
    expect((await patch('"9", "2"', 'b')).status).toBe(200);
    expect((await patch('*', 'c')).status).toBe(200);
  });

  it('lose no change when many patch at once', async () => {
    const { at } = await create();
    const features = ['sso', 'payments', 'events'];
    const answers = await Promise.all(features.map((feature) => api.patch(at, { features: { [feature]: true } })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await api.get(at)).body).toMatchObject({ version: 4, features: { sso: true, payments: true, events: true } });
  });

  it('are listed in pages', async () => {
    for (const id of ['a1', 'a2', 'a3', 'a4', 'a5']) await create({ [idMember]: id });
    const first = await api.get(`${path}?limit=2`);
    expect([first.body.data.map((row: Record<string, unknown>) => row[idMember]), first.body.next_cursor]).toEqual([['a1', 'a2'], 'a2']);
    const second = await api.get(`${path}?limit=3&cursor=a2`);
    expect([second.body.data.map((row: Record<string, unknown>) => row[idMember]), second.body.next_cursor]).toEqual([
      ['a3', 'a4', 'a5'],
      null,
    ]);
    expect(first.body.data[0]).toEqual((await api.get(`${path}/a1`)).body);
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'limit=', 'limit=1&limit=2', 'cursor=', 'cursor=a%00b', 'name=x', '__proto__=1'])(
    'refuse the query %s',
    async (query) => {
      expect((await api.get(`${path}?${query}`)).status).toBe(400);
    },
  );

  it('are removed, with their integrations', async () => {
    const { at } = await create({ [idMember]: 'same' });
    await api.post(path === 'miniapps' ? 'host-apps' : 'miniapps', {
      name: 'Other',
      [path === 'miniapps' ? 'client_id' : 'app_id']: 'same',
    });
    await api.put('integrations/same/same', {});
    expect((await api.get('integrations/same/same')).status).toBe(200);
    const gone = await api.delete(at);
    expect([gone.status, gone.text]).toEqual([204, '']);
    for (const missing of [await api.get(at), await api.patch(at, {}), await api.delete(at), await api.get('integrations/same/same')]) {
      expect([missing.status, missing.body.type]).toEqual([404, 'urn:pierhead:problem:not-found']);
    }
  });

  it('leave one audit row for each change, with the values before and after', async () => {
    const made = await api.post(path, { name: 'One' }, { headers: { 'x-request-id': 'r1' } });
    const id = String(made.body[idMember]);
    const at = `${path}/${id}`;
    const first = (await api.get(at)).body;
    const second = (await api.patch(at, { name: 'Two' }, { headers: { 'x-request-id': 'r2' } })).body;
    await api.patch(at, { name: 'Two' });
    await api.delete(at);
    const rows = await api.auditRows();
    const common = { actor: 'operator', subject: `${subject}:${id}` };
    expect(rows).toEqual([
      { ...common, action: `${subject}.created`, before: null, after: first, request_id: 'r1' },
      { ...common, action: `${subject}.changed`, before: first, after: second, request_id: 'r2' },
      { ...common, action: `${subject}.removed`, before: second, after: null, request_id: expect.stringMatching(/^id\d+$/) as string },
    ]);

    const trail = await api.get(`audit?subject=${subject}:${id}&limit=2`);
    expect(trail.body.data).toEqual([
      expect.objectContaining({ ...common, action: `${subject}.removed`, before: second }),
      expect.objectContaining({ ...common, action: `${subject}.changed`, before: first, after: second, request_id: 'r2' }),
    ]);
    const rest = await api.get(`audit?subject=${subject}:${id}&cursor=${String(trail.body.next_cursor)}`);
    expect([rest.body.data.map((row: Record<string, unknown>) => row['action']), rest.body.next_cursor]).toEqual([
      [`${subject}.created`],
      null,
    ]);
  });

  it('refuse members that they do not know, at any depth', async () => {
    const unknown = {
      nam: 'x',
      features: { sso: true, sign_on: true },
      signature: { key: 1, header_names: { x: 'y' } },
      ip_whitelist: { list: [] },
    };
    const raw = JSON.stringify({ name: 'One', ...unknown }).replace(
      '"nam"',
      '"__proto__":{"name":"x"},"constructor":"x","toString":1,"nam"',
    );
    const paths = [
      '__proto__',
      'constructor',
      'features.sign_on',
      'ip_whitelist.list',
      'nam',
      'signature.header_names.x',
      'signature.key',
      'toString',
    ];
    const { at } = await create();
    const before = await api.kept();
    for (const answer of [
      await api.post(path, undefined, { raw, headers: { 'content-type': 'application/json' } }),
      await api.patch(at, undefined, { raw, headers: { 'content-type': 'application/json' } }),
    ]) {
      expect(answer.status).toBe(400);
      expect(errorsOf(answer).sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
        paths.map((member) => ({ path: member, rule: 'unknown member' })),
      );
    }
    expect((await api.patch(at, { nam: null, signature: { key: null } })).status).toBe(400);
    expect(await api.kept()).toBe(before);
  });
});
