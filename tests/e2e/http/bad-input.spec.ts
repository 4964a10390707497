import { aPair, basicOf, type Pair } from '../../support/signatures/a-pair';
import { startTestService, type Reply, type TestService } from '../../support/service/service';

let service: TestService;
let pair: Pair;

beforeAll(async () => {
  service = await startTestService();
  pair = await aPair(service, { hostApp: { consent_required: false } });
});
afterAll(() => service.close());

const paths = {
  connect: '/api/v1/connect/',
  authorize: '/api/v1/authorize/',
  save: '/api/v1/accounts/consent/save_consent/',
  revoke: '/api/v1/accounts/consent/revoke/',
  read: '/api/v1/accounts/consent/get_consent/',
};

const user = { reference: 'user-1' };
const body = (members: object = {}) => ({ client_id: pair.clientId, app_id: pair.appId, user_data: user, ...members });
const connect = (sent: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', paths.connect, { body: sent, headers: { ...pair.basic, ...headers } });

/** The Error body of the contract, whole; and nothing was stored. */
async function expectError(reply: Reply, status: number, code: string): Promise<void> {
  expect([reply.status, reply.body?.error_code]).toEqual([status, code]);
  expect(typeof reply.body.error_message).toBe('string');
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.body.custom_attributes.request_id).toBe(reply.headers.get('x-request-id'));
  expect(typeof reply.body.custom_attributes.retryable).toBe('boolean');
  expect(reply.body.exception).toBeUndefined();
  const [counts] = await service.database.db.query(
    'select (select count(*) from users) + (select count(*) from consents) + (select count(*) from consent_entries) + (select count(*) from user_tokens) as stored',
  );
  expect(counts.stored).toBe('0');
}

const oddIds: [string, unknown][] = [
  ['missing', undefined],
  ['null', null],
  ['a number', 7],
  ['an array', ['host_abc123def456']],
  ['an object', { $ne: '' }],
  ['empty', ''],
  ['too long', 'x'.repeat(65)],
  ['with a blank', 'host abc'],
  ['with NUL spelt out', 'host%00'],
];

describe('ids', () => {
  it.each(oddIds.flatMap(([what, value]) => ['client_id', 'app_id'].map((name) => [name, what, value] as const)))(
    'connect, authorize, save_consent and revoke refuse %s %s',
    async (name, _what, value) => {
      for (const path of [paths.connect, paths.authorize, paths.save, paths.revoke]) {
        const sent = { ...body(), user_reference: 'user-1', auth_code: 'c', [name]: value };
        const reply = await service.call('POST', path, { body: sent, headers: pair.basic });
        await expectError(reply, 400, 'INVALID_INPUT');
        expect(reply.body.custom_attributes.fields.map((field: { path: string }) => field.path)).toEqual([name]);
      }
    },
  );

  it.each(['client_id', 'app_id', 'user_reference'])('get_consent refuses a missing, empty or doubled %s', async (name) => {
    const query = new URLSearchParams({ client_id: pair.clientId, app_id: pair.appId, user_reference: 'user-1' });
    query.delete(name);
    await expectError(await service.call('GET', `${paths.read}?${query.toString()}`), 400, 'INVALID_INPUT');
    query.set(name, '');
    await expectError(await service.call('GET', `${paths.read}?${query.toString()}`), 400, 'INVALID_INPUT');
    query.set(name, 'x');
    query.append(name, 'y');
    await expectError(await service.call('GET', `${paths.read}?${query.toString()}`), 400, 'INVALID_INPUT');
  });

  it('an unknown host app gets the same answer as a wrong secret', async () => {
    const wrong = await service.call('POST', paths.connect, {
      body: body(),
      headers: { ...basicOf(pair.clientId, 'wrong'), 'X-Request-Id': 'same' },
    });
    const unknown = await service.call('POST', paths.connect, {
      body: body({ client_id: 'host_unknown00000' }),
      headers: { ...basicOf('host_unknown00000', 'wrong'), 'X-Request-Id': 'same' },
    });
    const unproven = (members = {}) => service.call('POST', paths.connect, { body: body(members), headers: { 'X-Request-Id': 'same' } });
    await expectError(wrong, 401, 'ACCESS_DENIED');
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Basic /);
    const answerOf = (reply: Reply) => [reply.status, reply.text, [...reply.headers].filter(([name]) => name !== 'date')];
    expect(answerOf(unknown)).toEqual(answerOf(wrong));
    expect(answerOf(await unproven({ client_id: 'host_unknown00000' }))).toEqual(answerOf(await unproven()));
  });

  it('unknown partners are named if the caller is known or the call needs no credentials', async () => {
    await expectError(await connect(body({ app_id: 'app_zzzzzz' })), 400, 'MINIAPP_NOT_FOUND');
    const authorize = (members: object) => service.call('POST', paths.authorize, { body: body({ auth_code: 'c', ...members }) });
    await expectError(await authorize({ client_id: 'host_unknown00000' }), 400, 'HOSTAPP_NOT_FOUND');
    await expectError(await authorize({ app_id: 'app_zzzzzz' }), 400, 'MINIAPP_NOT_FOUND');
  });
});

describe('the body', () => {
  const encoded = (text: string) => Buffer.from(text, 'utf8');
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const broken: [string, () => string | Uint8Array][] = [
    ['malformed', () => '{"client_id":'],
    ['empty', () => ''],
    ['a text', () => '"x"'],
    ['a list', () => '[]'],
    ['null', () => 'null'],
    ['with a duplicate key', () => `{"client_id":"${pair.clientId}","client_id":"${pair.clientId}","app_id":"${pair.appId}"}`],
    [
      'with a duplicate key deep inside',
      () => JSON.stringify(body()).replace('"reference":"user-1"', '"reference":"user-1","reference":"user-2"'),
    ],
    ['with an escaped duplicate key', () => '{"a":1,"\\u0061":2}'],
    ['nested 65 deep', () => `{"x":${deep(64)}}`],
    ['nested 5000 deep', () => `{"x":${deep(5000)}}`],
    ['in Latin-1', () => Buffer.concat([encoded('{"x":"'), Buffer.from([0xe4]), encoded('"}')])],
    ['in UTF-16', () => Buffer.from('{"x":1}', 'utf16le')],
    ['with a byte order mark', () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), encoded('{}')])],
    ['with NUL in a string', () => '{"x":"\\u0000"}'],
    ['with half a surrogate pair', () => '{"x":"\\ud800"}'],
    ['with a comment', () => '{/**/}'],
    ['with a trailing comma', () => '{"x":1,}'],
    ['with text behind it', () => '{} {}'],
    ['with NaN', () => '{"x":NaN}'],
  ];

  it.each(broken)('%s is PARSING_ERROR_INVALID_REQUEST_BODY', async (_what, make) => {
    const reply = await connect(make(), { 'Content-Type': 'application/json' });
    await expectError(reply, 400, 'PARSING_ERROR_INVALID_REQUEST_BODY');
  });

  it('64 levels are read', async () => {
    await expectError(await connect(`{"x":${deep(63)}}`, { 'Content-Type': 'application/json' }), 400, 'INVALID_INPUT');
  });

  it('over 256 KiB is PAYLOAD_TOO_LARGE, with and without a stated length', async () => {
    const large = JSON.stringify(body({ filler: 'x'.repeat(262_144) }));
    await expectError(await connect(large), 413, 'PAYLOAD_TOO_LARGE');
    const pieces = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < large.length; sent += 50_000) controller.enqueue(encoded(large.slice(sent, sent + 50_000)));
        controller.close();
      },
    });
    const init = { method: 'POST', body: pieces, duplex: 'half', headers: { 'Content-Type': 'application/json', ...pair.basic } };
    // The answer may come while the body is still being sent: then the connection ends under the sender.
    const response = await fetch(service.url + paths.connect, init as RequestInit).catch(() => undefined);
    if (response) expect(response.status).toBe(413);
    await expectError(await connect('{'), 400, 'PARSING_ERROR_INVALID_REQUEST_BODY');
  });

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json; charset=iso-8859-1', {}],
    ['application/jsonp', {}],
    ['application/json', { 'Content-Encoding': 'gzip' }],
    ['application/json', { 'Content-Encoding': 'br' }],
  ])('%s %j is UNSUPPORTED_MEDIA_TYPE', async (type, headers) => {
    await expectError(await connect(JSON.stringify(body()), { 'Content-Type': type, ...headers }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"'])('%s is read', async (type) => {
    await expectError(await connect('{}', { 'Content-Type': type }), 400, 'INVALID_INPUT');
  });

  it('a doubled Authorization header is refused', async () => {
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(service.url + paths.connect, { method: 'POST', headers: { 'Content-Type': 'application/json' } }, (res) => {
        res.resume();
        resolve(res.statusCode);
      });
      sent.on('error', reject);
      sent.setHeader('Authorization', [pair.basic.Authorization, 'Basic eDp5']);
      sent.end(JSON.stringify(body()));
    });
    expect(status).toBe(400);
  });
});

describe('fields of connect', () => {
  const long = (size: number) => 'x'.repeat(size);
  it.each<[string, unknown, string]>([
    ['no user', { user_data: undefined }, 'user_data'],
    ['user as text', { user_data: 'user-1' }, 'user_data'],
    ['user as list', { user_data: [user] }, 'user_data'],
    ['no reference', { user_data: {} }, 'user_data.reference'],
    ['reference null', { user_data: { reference: null } }, 'user_data.reference'],
    ['reference a fraction', { user_data: { reference: 1.5 } }, 'user_data.reference'],
    ['reference empty', { user_data: { reference: '' } }, 'user_data.reference'],
    ['reference of 101', { user_data: { reference: long(101) } }, 'user_data.reference'],
    ['e-mail without @', { user_data: { ...user, email: 'mia' } }, 'user_data.email'],
    ['e-mail of 255', { user_data: { ...user, email: `${long(243)}@example.com` } }, 'user_data.email'],
    ['e-mail with CR LF in quotes', { user_data: { ...user, email: '"a\r\nBcc: x@evil.example"@iana.org' } }, 'user_data.email'],
    ['phone without +', { user_data: { ...user, phone: '6591234567' } }, 'user_data.phone'],
    ['phone with blanks', { user_data: { ...user, phone: '+65 9123 4567' } }, 'user_data.phone'],
    ['phone of 16 digits', { user_data: { ...user, phone: '+1234567890123456' } }, 'user_data.phone'],
    ['first name of 251', { user_data: { ...user, first_name: long(251) } }, 'user_data.first_name'],
    ['last name a list', { user_data: { ...user, last_name: [] } }, 'user_data.last_name'],
    ['attributes as list', { user_data: { ...user, custom_attributes: [] } }, 'user_data.custom_attributes'],
    ['attributes over 64 KiB', { user_data: { ...user, custom_attributes: { x: long(65_536) } } }, 'user_data.custom_attributes'],
    ['two users that differ', { user: { reference: 'user-2' } }, 'user'],
    ['the other user wrong', { user: { reference: 1.5 } }, 'user.reference'],
  ])('%s is INVALID_INPUT and names the field', async (_what, members, path) => {
    const reply = await connect(body(members as object));
    await expectError(reply, 400, 'INVALID_INPUT');
    expect(reply.body.custom_attributes.fields).toEqual([{ path, rule: expect.any(String) }]);
  });

  it('several wrong fields are all named', async () => {
    const reply = await connect(body({ user_data: { email: 'x', phone: 'y' } }));
    await expectError(reply, 400, 'INVALID_INPUT');
    expect(reply.body.custom_attributes.fields.map((field: { path: string }) => field.path).sort()).toEqual([
      'user_data.email',
      'user_data.phone',
      'user_data.reference',
    ]);
  });

  it('credentials are checked before fields', async () => {
    const reply = await service.call('POST', paths.connect, { body: body({ user_data: 7 }), headers: basicOf(pair.clientId, 'wrong') });
    await expectError(reply, 401, 'ACCESS_DENIED');
  });
});

describe('fields of authorize and consent', () => {
  it.each([
    ['no code', {}, 'auth_code'],
    ['an empty code', { auth_code: '' }, 'auth_code'],
    ['a code of 1001', { auth_code: 'c'.repeat(1001) }, 'auth_code'],
    ['a code that is a number', { auth_code: 12 }, 'auth_code'],
    ['a reference that is a list', { auth_code: 'c', user_reference: [] }, 'user_reference'],
  ])('authorize: %s', async (_what, members, path) => {
    const reply = await service.call('POST', paths.authorize, { body: { client_id: pair.clientId, app_id: pair.appId, ...members } });
    await expectError(reply, 400, 'INVALID_INPUT');
    expect(reply.body.custom_attributes.fields[0].path).toBe(path);
  });

  it.each([
    ['no reference', {}, 'user_reference'],
    ['a reference of 101', { user_reference: 'x'.repeat(101) }, 'user_reference'],
    ['fields that are no list', { user_reference: 'u', fields: 'email' }, 'fields'],
    ['fields that are no texts', { user_reference: 'u', fields: [1] }, 'fields'],
    ['a version that is a number', { user_reference: 'u', text_version: 1 }, 'text_version'],
  ])('save_consent: %s', async (_what, members, path) => {
    const sent = { client_id: pair.clientId, app_id: pair.appId, ...members };
    const reply = await service.call('POST', paths.save, { body: sent, headers: pair.basic });
    await expectError(reply, 400, 'INVALID_INPUT');
    expect(reply.body.custom_attributes.fields[0].path).toBe(path);
  });

  it('revoke refuses ids that differ between query and body', async () => {
    const sent = { client_id: pair.clientId, app_id: pair.appId, user_reference: 'u' };
    const reply = await service.call('POST', `${paths.revoke}?user_reference=v`, { body: sent, headers: pair.basic });
    await expectError(reply, 400, 'INVALID_INPUT');
  });
});
