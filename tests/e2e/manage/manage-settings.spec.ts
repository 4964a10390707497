import { DraftReader } from '../../../src/adapters/in/http/manage/partners/draft-reader';
import { hostAppMapper } from '../../../src/adapters/in/http/manage/partners/host-app-mapper';
import { miniappMapper } from '../../../src/adapters/in/http/manage/partners/miniapp-mapper';
import type { PartnerMapper } from '../../../src/adapters/in/http/manage/partners/partner-mapper';
import type { HostApp } from '../../../src/domain/partners/host-app';
import type { Miniapp } from '../../../src/domain/partners/miniapp';
import { acceptDraft, type Partner } from '../../../src/domain/partners/partner-draft';
import { InvalidInput } from '../../../src/domain/shared/errors';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { testManageApi, type ManageAnswer } from '../../support/service/manage-api';

const api = testManageApi();
beforeAll(async () => {
  await api.post('host-apps', { name: 'Host', client_id: 'host' });
  await api.post('miniapps', { name: 'Mini', app_id: 'mini' });
}, 30_000);

const errorsOf = (answer: ManageAnswer) => (answer.body.errors ?? []) as { path: string; rule: string }[];
const repeat = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i));

const notText = [5, true, [], {}, ['x']];
const notFlag = ['true', 1, 0, '', [], {}];
const notObject = ['x', 1, true, [], [{}]];
const notHeaderText = [...notText, '', ' x', 'x ', 'a\nb', 'a\u007fb', 'ä', '😀'];
const notUrl = [...notText, '', 'x', `https://a.example/${'x'.repeat(500)}`];
const notCalled = [...notUrl, 'http://a.example/', 'https://127.0.0.1/'];
const notPage = [
  ...notUrl,
  '/relative',
  'javascript:alert(1)',
  'ftp://a.example/',
  'https://user:pass@a.example/',
  'http:XY',
  'http://google.com\\www.x.tld',
  'https:a.example',
];
const notText250 = [...notText, '', 'x'.repeat(251)];
const word = (words: string[]) => [
  ...notText,
  '',
  'x',
  ...words.map((one) => ` ${one}`),
  ...words.map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())),
];

/** A setting, and values that break its rule; where the error names another path than the setting's, that path. */
type Row = readonly [setting: string, values: readonly unknown[], at?: string];

const everywhere: readonly Row[] = [
  ['name', notText250],
  ['logo', notPage],
  ['events_bridge_url', notCalled],
  ['ip_whitelist', notObject],
  ['ip_whitelist.enabled', notFlag],
  ['ip_whitelist.addresses', ['x', {}, true, [5], [['1.2.3.4']], [''], repeat(1001, () => '10.0.0.1')]],
  [
    'ip_whitelist.addresses',
    [
      '1.2.3',
      '01.2.3.4',
      '1.2.3.4/33',
      '1.2.3.4/24',
      '1.2.3.4/x',
      'host.example',
      'fe80::1%eth0',
      '1.2.3.4 ',
      '::/129',
      '2001:db8::1/32',
    ].map((entry) => ['10.0.0.1', entry]),
    'ip_whitelist.addresses[1]',
  ],
  ['features', notObject],
  ['features.sso', notFlag],
  ['features.payments', notFlag],
  ['features.events', notFlag],
  ['signature', notObject],
  ['signature.enabled', notFlag],
  ['signature.algorithm', word(['HMAC', 'RSA2', 'ECDSA'])],
  ['signature.hash', [...word(['SHA-256', 'SHA-1', 'MD5']), 'SHA256', 'RIPEMD-160']],
  ['signature.hash', ['MD5', 'SHA-1']],
  ['signature.encoding', word(['base64', 'base64url', 'hex'])],
  ['signature.timestamp_precision', word(['seconds', 'milliseconds', 'microseconds', 'nanoseconds'])],
  ['signature.nonce_length', ['16', true, [], {}, -1, 1, 15, 65, 16.5, 1e300]],
  ['signature.identity', [...notHeaderText, 'x'.repeat(251)]],
  ['signature.header_names', notObject],
  ...['signature', 'timestamp', 'client_id', 'nonce', 'identity', 'merchant_id'].map((name): Row => [
    `signature.header_names.${name}`,
    [
      ...notText,
      '',
      'X Y',
      'X:Y',
      'X\n',
      'Ä',
      'x'.repeat(65),
      'Host',
      'content-length',
      'Content-Type',
      'Transfer-Encoding',
      'Connection',
      'Cookie',
      'X-Hostapp-Client-ID',
      'x-miniapp-app-id',
      'X-User-Id',
      'Proxy-Authorization',
      'X-Forwarded-For',
      // Each of these three stands for one part alone.
      ...Object.entries({ nonce: 'Webhook-Id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' }).flatMap(
        ([part, header]) => (part === name ? [] : [header]),
      ),
    ],
  ]),
  ...['timestamp', 'client_id', 'nonce', 'identity', 'merchant_id'].map((name): Row => [
    `signature.header_names.${name}`,
    ['Authorization', 'x-signature'],
  ]),
  [
    'signature.payload_template',
    [...notText, '', 'x'.repeat(1001), '{payload', 'payload}', '{}', '{Payload}', '{payload }', '{body}', '{{payload}}', '{__proto__}'],
  ],
  [
    'signature.payload_template',
    [
      '{url}.{timestamp}.{payload}',
      '{request_method}.{timestamp}.{payload}',
      '{request_method}.{url}.{payload}',
      '{request_method}.{url}.{timestamp}',
      '{request_method}{url}.{timestamp}.{payload}',
      'none',
    ],
  ],
  [
    'signature.signature_template',
    [...notHeaderText, 'x', '{signature}{signature}', '{payload}{signature}', '{{signature}}', 'x'.repeat(251)],
  ],
  ['signature.url_form', word(['full', 'path'])],
  ['signature.payload_spaces', notFlag],
  ['signature.payload_sort_keys', notFlag],
  ['signature.payload_ascii', notFlag],
  ['signature.key_format', word(['PEM', 'DER'])],
  ['signature.api_client_id', [...notHeaderText, 'x'.repeat(65)]],
  [
    'signature.hmac_secret',
    [...notText, '', 'x'.repeat(1001), 'x'.repeat(31), '-----BEGIN PUBLIC KEY-----\nAAAAAAAAAAAA\n-----END PUBLIC KEY-----'],
  ],
  [
    'signature.partner_public_key',
    [...notText, '', 'x', 'x'.repeat(10_001), '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'],
  ],
  ['signature.platform_public_key', ['x', 5, {}]],
  ['signature.acknowledge_weak', notFlag],
  ['signature.webhook_signature', [...notFlag, true]],
  ['signature.preset', word(['platform', 'method-path-lines', 'standard-webhooks'])],
];

const ofHostApps: readonly Row[] = [
  ['basic_auth_validation', notFlag],
  ['basic_with_signature', notFlag],
  ['host_app_client_id', [...notText, '', 'a:b', 'a b', 'ä', 'x'.repeat(65)]],
  ['host_app_secret_key', [...notText, '', 'x'.repeat(1001)]],
  ['credential_scheme', [...notText, '', 'a b', 'a\n', 'a:b', 'ä', 'x'.repeat(65)]],
  ['access_token_url', notCalled],
  ['refresh_token_url', notCalled],
  ['user_data_url', notCalled],
  ['create_order_payment_url', notCalled],
  ['get_order_payment_status_url', notCalled],
  ['client_access_token_url', notCalled],
  ['client_access_token_scope', [...notText, '', 'a"b', 'a\\b', 'a\nb', 'ä', 'x'.repeat(1001)]],
  ['access_token_prefix', [...notHeaderText, 'x'.repeat(65)]],
  ['use_access_token', notFlag],
  ['consent_in_popup', notFlag],
  ['server_side_sign_on', notFlag],
  ['consent_required', notFlag],
  ['public_revoke', notFlag],
  ['is_consent_enabled', notFlag],
  ['consent_text', [...notText, '', 'x'.repeat(10_001)]],
  [
    'colors',
    [
      ...notObject,
      { a: 5 },
      { a: {} },
      { a: '' },
      { a: 'x'.repeat(101) },
      { '': 'x' },
      { 'a b': 'x' },
      { ['x'.repeat(65)]: 'x' },
      Object.fromEntries(repeat(65, (i) => [`c${String(i)}`, 'x'])),
    ],
  ],
  ['colors.toString', ['red']],
  [
    'consent_links',
    ['x', {}, 5, ['x'], [[]], [[{ title: 'a', url: 'https://a.example' }]], repeat(21, () => ({ title: 'a', url: 'https://a.example' }))],
  ],
  [
    'consent_links',
    [[{ url: 'https://a.example' }], [{ title: 5, url: 'https://a.example' }], [{ title: 'x'.repeat(251), url: 'https://a.example' }]],
    'consent_links[0].title',
  ],
  ['consent_links', [[{ title: 'x' }], ...notPage.map((url) => [{ title: 'x', url }])], 'consent_links[0].url'],
  ['consent_links', [[{ title: 'x', url: 'https://a.example', icon: 'y' }]], 'consent_links[0].icon'],
  ['payload_cipher', word(['any', 'gcm'])],
  ['reconcile_max_per_second', [0, -1, 1.5, 10_001, 'x', true]],
  ['webhook_url', ['https://a.example/']],
];

const ofMiniapps: readonly Row[] = [
  ['url', notPage],
  ['kind', word(['standard', 'commerce'])],
  ['required_user_fields', ['email', {}, 5, [5], ['reference'], ['Email'], [['email']]]],
  ['get_auth_token_url', notCalled],
  ['webhook_url', notCalled],
  ['white_listed_urls', ['x', {}, repeat(201, () => 'https://a.example'), ...notPage.map((url) => [url])]],
  ['host_app_secret_key', ['x']],
  ['basic_auth_validation', [true]],
];

function nested(path: string, value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.');
  return { [name]: rest.length === 0 ? value : nested(rest.join('.'), value) };
}

/** Returns the paths that a body is refused for: in a new partner and in a change of the present one, read as the routes read them. */
const refusalsOf =
  <P extends Partner>(mapper: PartnerMapper<P>, present: P) =>
  (body: object): string[][] => {
    const drafts = new DraftReader({ ...api.deps, mapper });
    const given = (sent: object) => drafts.tidy(readJsonText(JSON.stringify(sent)) as JsonObject);
    const deps = { intake: api.useCases.intake, keys: api.deps.keys };
    return [
      refusedPaths(() => acceptDraft<P>(deps, drafts.registration(given({ name: 'New', ...body })).draft, {})),
      refusedPaths(() => acceptDraft<P>(deps, drafts.edit(given(body))(present), present.credentials)),
    ];
  };

function refusedPaths(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof InvalidInput) return (error.details.fields ?? []).map(({ path }) => path);
    throw error;
  }
}

const refusalsOfHostApp = async () => refusalsOf(hostAppMapper, (await api.deps.hostApps.find('host')) as HostApp);
const refusalsOfMiniapp = async () => refusalsOf(miniappMapper, (await api.deps.miniapps.find('mini')) as Miniapp);

describe.each([
  ['host-apps', 'host-apps/host', [...everywhere, ...ofHostApps], refusalsOfHostApp],
  ['miniapps', 'miniapps/mini', [...everywhere, ...ofMiniapps], refusalsOfMiniapp],
] as const)('%s', (collection, one, rows, refusals) => {
  it.each(rows.map((row) => [row[0], row] as const))(
    'refuse %s where it breaks its rule',
    async (_name, [setting, values, at = setting]) => {
      const before = await api.kept();
      const body = nested(setting, values[0]);
      for (const answer of [await api.post(collection, { name: 'New', ...body }), await api.patch(one, body)]) {
        const outcome = { status: answer.status, paths: errorsOf(answer).map(({ path }) => path) };
        expect(outcome).toEqual({ status: 400, paths: expect.arrayContaining([at]) as string[] });
      }
      expect(await api.kept()).toBe(before);
      const refusedPaths = await refusals();
      const named = expect.arrayContaining([at]) as string[];
      for (const value of values) expect({ value, paths: refusedPaths(nested(setting, value)) }).toEqual({ value, paths: [named, named] });
    },
  );

  it('name everything that is wrong at once', async () => {
    const before = await api.kept();
    const answer = await api.post(collection, {
      logo: 5,
      secret_key: 'canary-1',
      events_bridge_url: 'http://inside',
      extra: 1,
      ip_whitelist: { addresses: ['x'] },
      signature: {
        hash: 'MD5',
        encoding: 'x',
        nonce_length: 5,
        hmac_secret: 'canary-2',
        partner_public_key: 'x',
        header_names: { nonce: 'Host' },
        payload_template: '{url}',
      },
    });
    expect(answer.status).toBe(400);
    expect(
      errorsOf(answer)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([
      'events_bridge_url',
      'extra',
      'ip_whitelist.addresses[0]',
      'logo',
      'name',
      'secret_key',
      'signature.encoding',
      'signature.hash',
      'signature.header_names.nonce',
      'signature.hmac_secret',
      'signature.nonce_length',
      'signature.partner_public_key',
      'signature.payload_template',
    ]);
    expect(answer.text).not.toContain('canary');
    expect(await api.kept()).toBe(before);
  });
});

describe('signature settings', () => {
  const header = (name: string) =>
    ['signature', 'timestamp', 'client_id', 'nonce', 'identity', 'merchant_id'].map((part) => [part, name] as const);
  const rows: readonly (readonly [string, readonly unknown[]])[] = [
    ['enabled', [true, false]],
    ['algorithm', ['HMAC', 'RSA2', 'ECDSA']],
    ['hash', ['SHA-256', 'SHA-224', 'SHA-384', 'SHA-512']],
    ['encoding', ['base64', 'base64url', 'hex']],
    ['timestamp_precision', ['seconds', 'milliseconds', 'microseconds', 'nanoseconds']],
    ['nonce_length', [0, 16, 64]],
    ['identity', ['x', 'a b', '~'.repeat(250)]],
    ...header('X').map(([part, name]) => [`header_names.${part}`, [name, 'x'.repeat(64), "!#$%&'*+-.^_`|~09az"]] as const),
    ['header_names.signature', ['Authorization', 'webhook-signature']],
    ['header_names.timestamp', ['Webhook-Timestamp']],
    ['header_names.nonce', ['webhook-id']],
    [
      'payload_template',
      ['{request_method}\n{url}\n{timestamp}\n{payload}', `{request_method}.{url}.{timestamp}.{payload}${'x'.repeat(956)}`],
    ],
    ['signature_template', ['{signature}', 'v1,{signature}', `{signature}${'x'.repeat(239)}`]],
    ['url_form', ['full', 'path']],
    ['payload_spaces', [true, false]],
    ['payload_sort_keys', [true, false]],
    ['payload_ascii', [true, false]],
    ['key_format', ['PEM', 'DER']],
    ['api_client_id', ['x', 'a b', 'x'.repeat(64)]],
    ['acknowledge_weak', [true, false]],
  ];

  it.each(rows)('take and show each right value, up to its bounds: %s', async (setting, values) => {
    for (const value of values) {
      for (const one of ['host-apps/host', 'miniapps/mini']) {
        const { status, body } = await api.patch(one, nested(`signature.${setting}`, value));
        expect([status, setting.split('.').reduce((part, name) => part[name], body.signature)]).toEqual([200, value]);
        await api.patch(one, { signature: null });
      }
    }
  });
});

describe('a weak setting', () => {
  it.each([
    [{ hash: 'MD5' }],
    [{ hash: 'SHA-1' }],
    [{ algorithm: 'HMAC', hmac_secret: 'secret' }],
    [{ algorithm: 'HMAC', hmac_secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX' }],
    [{ payload_template: '{url}{payload}' }],
    [{ payload_template: 'constant' }],
  ])('is stored once it is acknowledged: %j', async (signature) => {
    expect((await api.post('miniapps', { name: 'Weak', signature })).status).toBe(400);
    expect((await api.post('miniapps', { name: 'Weak', signature: { ...signature, acknowledge_weak: true } })).status).toBe(201);
  });

  it('is never an unknown placeholder, an empty secret or a key as secret', async () => {
    for (const signature of [{ payload_template: '{body}' }, { hmac_secret: '' }, { hmac_secret: '-----BEGIN PUBLIC KEY-----' }]) {
      expect((await api.post('miniapps', { name: 'Weak', signature: { ...signature, acknowledge_weak: true } })).status).toBe(400);
    }
  });
});

describe('warnings', () => {
  const warningsOf = async (collection: string, body: object) => {
    const answer = await api.post(collection, { name: 'Warned', ...body });
    return (answer.body.warnings as { path: string }[]).map(({ path }) => path);
  };

  it.each([
    ['host-apps', {}, []],
    ['host-apps', { basic_auth_validation: false }, ['basic_auth_validation']],
    ['host-apps', { basic_auth_validation: false, ip_whitelist: { enabled: true, addresses: ['10.0.0.1'] } }, []],
    ['host-apps', { features: { sso: true } }, ['payload_cipher']],
    ['host-apps', { features: { sso: true }, payload_cipher: 'gcm' }, []],
    ['host-apps', { ip_whitelist: { enabled: true } }, ['ip_whitelist']],
    [
      'host-apps',
      { ip_whitelist: { addresses: ['0.0.0.0/0', '10.0.0.0/8', '::/0', '2001:db8::/32', '::ffff:0.0.0.0/96'] } },
      ['ip_whitelist.addresses[0]', 'ip_whitelist.addresses[2]', 'ip_whitelist.addresses[4]'],
    ],
    ['host-apps', { signature: { enabled: true } }, ['signature.algorithm', 'signature.api_client_id']],
    ['host-apps', { signature: { enabled: true, algorithm: 'HMAC', api_client_id: 'c' } }, ['signature.hmac_secret']],
    ['host-apps', { signature: { enabled: true, algorithm: 'RSA2', api_client_id: 'c' } }, ['signature.partner_public_key']],
    ['miniapps', {}, []],
    ['miniapps', { features: { payments: true } }, ['signature.enabled']],
    ['miniapps', { features: { events: true }, ip_whitelist: { enabled: true, addresses: ['10.0.0.1'] } }, []],
    ['miniapps', { signature: { nonce_length: 16 } }, ['signature.nonce_length']],
    [
      'miniapps',
      { signature: { hash: 'MD5', payload_template: '{url}', acknowledge_weak: true } },
      ['signature.payload_template', 'signature.hash'],
    ],
    ['miniapps', { signature: { hmac_secret: 'brief', acknowledge_weak: true } }, ['signature.hmac_secret']],
  ])('of %s with %j', async (collection, body, paths) => {
    expect(await warningsOf(collection, body)).toEqual(paths);
  });

  it('stand in the audit trail', async () => {
    await warningsOf('host-apps', { basic_auth_validation: false });
    const row = (await api.auditRows()).at(-1);
    expect(row?.after).toMatchObject({
      basic_auth_validation: false,
      warnings: [{ path: 'basic_auth_validation', cause: 'open', message: expect.stringMatching(/^open/) as string }],
    });
  });
});
