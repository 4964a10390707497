import { UserTokenRejected } from '../../../src/domain/partners/partner-errors';
import { printJson } from '../../../src/domain/shared/print-json';
import { failureOf, SignOnOverHttp } from '../../support/sso/sign-on-over-http';
import { bytes, json, redirect, refusalOf, type Behaviour } from '../../support/partners/stub-behaviours';

let http: SignOnOverHttp;
beforeEach(async () => {
  http = await new SignOnOverHttp().start();
});
afterEach(() => http.stop());

describe('an answer of a partner', () => {
  type Call = 'token' | 'user' | 'auth';
  const call = async (which: Call, behaviour: Behaviour): Promise<unknown> => {
    (which === 'auth' ? http.miniapp : http.hostApp).on(`/${which}`, behaviour);
    return which === 'token' ? http.exchange() : which === 'user' ? http.userData() : http.authToken();
  };

  it.each([
    ['the access token alone', { access_token: 'a' }, ['a', undefined]],
    ['both tokens and more', { access_token: 'a', refresh_token: 'r', expires_in: 5, scope: null }, ['a', 'r']],
    ['no refresh token as null', { access_token: 'a', refresh_token: null }, ['a', undefined]],
    ['no refresh token as empty text', { access_token: 'a', refresh_token: '' }, ['a', undefined]],
    ['an error code that is empty', { access_token: 'a', error_code: '' }, ['a', undefined]],
    ['an error code that is null', { access_token: 'a', error_code: null }, ['a', undefined]],
    ['a token of 8192 characters', { access_token: 'a'.repeat(8192) }, ['a'.repeat(8192), undefined]],
  ])('tokens: %s', async (_what, body, tokens) => {
    http.hostApp.on('/token', json(body));
    const { accessToken, refreshToken } = await http.exchange();
    expect([accessToken.reveal(), refreshToken?.reveal()]).toEqual(tokens);
  });

  it.each([
    ['auth_token', { auth_token: 't', refresh_token: 'r' }, ['t', 'r']],
    ['token', { token: 't', refresh_token: 'r' }, ['t', 'r']],
    ['auth_token before token', { auth_token: 't', token: 'u' }, ['t', '']],
    ['token where auth_token is null', { auth_token: null, token: 'u', refresh_token: null }, ['u', '']],
    ['any text', { auth_token: 'tökén 😀' }, ['tökén 😀', '']],
  ])('the session: %s', async (_what, body, session) => {
    http.miniapp.on('/auth', json(body));
    const { token, refreshToken } = await http.authToken();
    expect([token.reveal(), refreshToken.reveal()]).toEqual(session);
  });

  it.each([
    ['in user_data', { user_data: { reference: 'r', first_name: 'M' }, reference: 'other' }, { reference: 'r', firstName: 'M' }],
    ['at top level', { reference: 'r', email: 'a@b.io' }, { reference: 'r', email: 'a@b.io' }],
    ['at top level beside a null user_data', { reference: 'r', user_data: null }, { reference: 'r' }],
    ['a reference written as an integer', { user_data: { reference: 42 } }, { reference: '42' }],
    ['nulls as absent', { reference: 'r', email: null, custom_attributes: null }, { reference: 'r' }],
    ['unknown fields dropped', { reference: 'r', password: 'x', __proto__x: 1 }, { reference: 'r' }],
    ['empty texts as not known', { reference: 'r', email: '', phone: '' }, { reference: 'r', email: '', phone: '' }],
  ])('the user: %s', async (_what, body, user) => {
    http.hostApp.on('/user', json(body));
    expect(await http.userData()).toEqual(user);
  });

  it("the user's own attributes, as they came", async () => {
    http.hostApp.on('/user', json('{"reference":"r","custom_attributes":{"2":1e400,"1":-0.10,"__proto__":{"é":null}}}'));
    const { customAttributes } = await http.userData();
    expect(printJson(customAttributes!)).toBe('{"2":1e400,"1":-0.10,"__proto__":{"é":null}}');
  });

  it.each(['application/json', 'APPLICATION/JSON ; charset="utf-8"', 'application/vnd.partner.v1+json', 'application/problem+json'])(
    'JSON as %s',
    async (contentType) => {
      await expect(call('token', bytes(contentType, '{"access_token":"a"}'))).resolves.toBeDefined();
    },
  );

  const notAnId = 'must be text, or a whole number without sign, point and exponent';
  const missing = (path: string) => ({ code: 'RESPONSE_ATTRIBUTE_MISSING', details: { fields: [{ path, rule: 'required' }] } });
  const wrong = (path: string, rule: string, code = 'UNEXPECTED_RESPONSE_ERROR') => ({ code, details: { fields: [{ path, rule }] } });
  it.each<[Call, unknown, object]>([
    ['token', {}, missing('access_token')],
    ['token', { access_token: null }, missing('access_token')],
    ['token', { access_token: '' }, missing('access_token')],
    ['token', { access_token: 5 }, wrong('access_token', 'must be text')],
    ['token', { access_token: ['a'] }, wrong('access_token', 'must be text')],
    ['token', { access_token: 'a'.repeat(8193) }, wrong('access_token', 'at most 8192 characters')],
    ['token', { access_token: 'line\nbreak' }, wrong('access_token', 'must be printable ASCII')],
    ['token', { access_token: 'tökén' }, wrong('access_token', 'must be printable ASCII')],
    ['token', { access_token: ' a' }, wrong('access_token', 'must be printable ASCII')],
    ['token', { access_token: 'a', refresh_token: 5 }, wrong('refresh_token', 'must be text')],
    ['token', { access_token: 'a', refresh_token: 'r'.repeat(8193) }, wrong('refresh_token', 'at most 8192 characters')],
    ['token', [], wrong('$', 'must be an object')],
    ['token', '"text"', wrong('$', 'must be an object')],
    ['token', 'null', wrong('$', 'must be an object')],
    ['user', {}, missing('reference')],
    ['user', { user_data: {} }, missing('user_data.reference')],
    ['user', { user_data: { email: 'nonsense' } }, missing('user_data.reference')],
    ['user', { user_data: 'r' }, wrong('user_data', 'must be an object')],
    ['user', { user_data: [] }, wrong('user_data', 'must be an object')],
    ['user', { reference: true }, wrong('reference', 'must be text', 'INVALID_USER_DATA')],
    ['user', { reference: -5 }, wrong('reference', notAnId, 'INVALID_USER_DATA')],
    ['user', { reference: 5.5 }, wrong('reference', notAnId, 'INVALID_USER_DATA')],
    ['user', { reference: '' }, wrong('reference', 'at least 1 character', 'INVALID_USER_DATA')],
    ['user', { reference: 'r'.repeat(101) }, wrong('reference', 'at most 100 characters', 'INVALID_USER_DATA')],
    ['user', { user_data: { reference: 'r', email: 'x' } }, wrong('user_data.email', 'must be an e-mail address', 'INVALID_USER_DATA')],
    ['user', { reference: 'r', phone: '0151' }, wrong('phone', 'must be a phone number in E.164 format', 'INVALID_USER_DATA')],
    ['user', { reference: 'r', custom_attributes: [] }, wrong('custom_attributes', 'must be an object', 'INVALID_USER_DATA')],
    ['auth', {}, missing('auth_token')],
    ['auth', { auth_token: '' }, missing('auth_token')],
    ['auth', { token: 7 }, wrong('auth_token', 'must be text')],
    ['auth', { auth_token: 't'.repeat(8193) }, wrong('auth_token', 'at most 8192 characters')],
  ])('%s %j is not as agreed', async (which, body, expected) => {
    expect(await failureOf(call(which, json(body)))).toMatchObject({ kind: 'partner-garbled', ...expected });
  });

  it.each<[string, Behaviour, object]>([
    ['HTML', bytes('text/html', '{"access_token":"a"}'), { code: 'INVALID_RESPONSE_CONTENT_TYPE' }],
    ['plain text', bytes('text/plain', '{"access_token":"a"}'), { code: 'INVALID_RESPONSE_CONTENT_TYPE' }],
    ['no type', bytes(undefined, '{"access_token":"a"}'), { code: 'INVALID_RESPONSE_CONTENT_TYPE' }],
    ['a type that only begins like JSON', bytes('application/jsonp', '{}'), { code: 'INVALID_RESPONSE_CONTENT_TYPE' }],
    ['204', bytes(undefined, '', { status: 204 }), { code: 'INVALID_RESPONSE_CONTENT_TYPE' }],
    ['an empty body', bytes('application/json', ''), { code: 'FAILED_TO_PARSE_RESPONSE' }],
    ['two byte order marks', bytes('application/json', '\ufeff\ufeff{"access_token":"a"}'), { code: 'FAILED_TO_PARSE_RESPONSE' }],
    ['duplicate fields', json('{"access_token":"a","access_token":"b"}'), { code: 'FAILED_TO_PARSE_RESPONSE' }],
    ['Latin-1', bytes('application/json', Buffer.from('{"access_token":"\u00e9"}', 'latin1')), { code: 'FAILED_TO_PARSE_RESPONSE' }],
    ['404 with HTML', bytes('text/html', 'no', { status: 404 }), { code: 'UNEXPECTED_RESPONSE_ERROR', details: { cause: 'http-404' } }],
    [
      '500 with good JSON',
      json({ access_token: 'a' }, { status: 500 }),
      { code: 'UNEXPECTED_RESPONSE_ERROR', details: { cause: 'http-500' } },
    ],
    ['400 in the words of OAuth', json({ error: 'invalid_grant' }, { status: 400 }), { details: { cause: 'http-400' } }],
    ['401', json({}, { status: 401 }), { code: 'UNEXPECTED_RESPONSE_ERROR', details: { cause: 'http-401' } }],
    ['an error code of 65 characters', refusalOf('X'.repeat(65)), { code: 'UNEXPECTED_RESPONSE_ERROR' }],
    ['an error code with a line break', refusalOf('A\nB'), { code: 'UNEXPECTED_RESPONSE_ERROR' }],
  ])('%s is no answer', async (_what, behaviour, expected) => {
    expect(await failureOf(call('token', behaviour))).toMatchObject({ kind: 'partner-garbled', ...expected });
  });

  it.each([301, 302, 303, 307, 308, 304])('a redirect is not followed: %s', async (status) => {
    const error = await failureOf(call('token', redirect(`${http.miniapp.url}/auth`, status)));
    expect(error).toMatchObject({ kind: 'partner-unreachable', code: 'UNEXPECTED_RESPONSE_ERROR', details: { cause: 'redirect' } });
    expect([http.hostApp.store.length, http.miniapp.store.length]).toEqual([1, 0]);
  });

  it('a redirect to itself is not followed', async () => {
    await failureOf(call('token', redirect(`${http.hostApp.url}/token`)));
    expect(http.hostApp.store).toHaveLength(1);
  });
});

describe("a partner's refusal", () => {
  it.each([200, 400, 403, 500])('is passed on with its code, message and attributes, and nothing else: %s', async (status) => {
    const attributes = { reason: 'blocked', n: 1 };
    const body = {
      error_code: 'EXPIRED_AUTH_CODE',
      error_message: 'Too late',
      custom_attributes: attributes,
      exception: 'X',
      token: 'secret',
    };
    http.hostApp.on('/token', json(body, { status }));
    const error = await failureOf(http.exchange());
    expect(error).toMatchObject({ kind: 'partner-refused', code: 'EXPIRED_AUTH_CODE', message: 'Too late', details: { step: 'exchange' } });
    expect(printJson((error as unknown as { attributes: never }).attributes)).toBe(JSON.stringify(attributes));
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  it('gets a message where it has none, and a shorter one where it is long', async () => {
    http.hostApp.on('/token', json({ error_code: 'EXPIRED_AUTH_CODE' }));
    expect((await failureOf(http.exchange())).message).toBe('The auth code has expired');
    http.hostApp.on('/token', json({ error_code: 'THEIR_OWN', error_message: 5 }));
    expect((await failureOf(http.exchange())).message).toBe('The partner refused the call');
    http.hostApp.on('/token', json({ error_code: 'THEIR_OWN', error_message: '😀'.repeat(1001) }));
    expect((await failureOf(http.exchange())).message).toBe('😀'.repeat(1000));
  });

  it.each([
    ['as it came', '"Overdrawn"', 'Overdrawn'],
    ['without control characters', '"A\\u0001\\n\\u007f\\u0085B"', 'AB'],
    ['without NUL', '"A\\u0000\\\\u0000B"', 'A\\u0000B'],
    ['cut at 250 code points', `"${'😀'.repeat(251)}"`, '😀'.repeat(250)],
    ['not where it is no text', '{"a":1}', undefined],
  ])('carries its exception, %s', async (_how, exception, relayed) => {
    http.hostApp.on('/token', json(`{"error_code":"THEIR_OWN","exception":${exception}}`));
    expect((await failureOf(http.exchange())).details.exception).toBe(relayed);
    http.hostApp.on('/token', json(`{"exception":${exception}}`, { status: 500 }));
    expect((await failureOf(http.exchange())).details).toMatchObject({ cause: 'http-500', ...(relayed && { exception: relayed }) });
    http.hostApp.on('/user', json(`{"error_code":"EXPIRED_ACCESS_TOKEN","exception":${exception}}`));
    expect((await failureOf(http.userData())).details.exception).toBe(relayed);
  });

  it('leaves attributes behind that are no object or too large', async () => {
    for (const attributes of [['x'], 'x', { x: 'y'.repeat(65_536) }]) {
      http.hostApp.on('/token', json({ error_code: 'THEIR_OWN', custom_attributes: attributes }));
      expect(await failureOf(http.exchange())).toMatchObject({ code: 'THEIR_OWN', attributes: undefined });
    }
  });

  it.each<[string, Behaviour, string]>([
    ['401 without a body', bytes(undefined, '', { status: 401 }), 'EXPIRED_ACCESS_TOKEN'],
    ['401 with HTML', bytes('text/html', 'no', { status: 401 }), 'EXPIRED_ACCESS_TOKEN'],
    ['401 with a code', refusalOf('TOKEN_GONE', { status: 401 }), 'TOKEN_GONE'],
    ['200 with EXPIRED_ACCESS_TOKEN', refusalOf('EXPIRED_ACCESS_TOKEN'), 'EXPIRED_ACCESS_TOKEN'],
    ['403 with INVALID_ACCESS_TOKEN', refusalOf('INVALID_ACCESS_TOKEN', { status: 403 }), 'INVALID_ACCESS_TOKEN'],
  ])('of a user token: %s', async (_what, behaviour, code) => {
    http.hostApp.on('/user', behaviour);
    const error = await failureOf(http.userData());
    expect(error).toBeInstanceOf(UserTokenRejected);
    expect(error.code).toBe(code);
    expect(http.hostApp.store).toHaveLength(1);
  });

  it('of a user token is none on a call that is not the user’s', async () => {
    http.hostApp.on('/token', refusalOf('EXPIRED_ACCESS_TOKEN', { status: 401 }));
    expect(await failureOf(http.exchange())).not.toBeInstanceOf(UserTokenRejected);
  });
});
