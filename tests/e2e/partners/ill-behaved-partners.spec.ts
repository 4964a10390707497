import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, type TestService } from '../../support/service/service';
import * as stub from '../../support/partners/stub-behaviours';
import { StubHostApp, StubMiniapp } from '../../support/partners/stub-sign-on';

const deadlineMs = 800;
let service: TestService;
let hostApp: StubHostApp;
let miniapp: StubMiniapp;
let pair: Pair;

beforeAll(async () => {
  service = await startTestService({ env: { SSO_TIMEOUT_MS: String(deadlineMs), RATE_LIMITS: '{"authorize": 100000}' } });
  [hostApp, miniapp] = [await new StubHostApp().start(), await new StubMiniapp().start()];
  pair = await aPair(service, { hostAppUrl: hostApp.url, miniappUrl: miniapp.url });
});
afterAll(async () => {
  await Promise.all([hostApp.stop(), miniapp.stop()]);
  await service.close();
});

const behaviours: [string, stub.Behaviour, string][] = [
  ['hangs before its headers', stub.hangBeforeHeaders, 'UNEXPECTED_RESPONSE_ERROR'],
  ['hangs inside its body', stub.hangInBody, 'UNEXPECTED_RESPONSE_ERROR'],
  ['sends a byte a second', stub.drip, 'UNEXPECTED_RESPONSE_ERROR'],
  ['resets the connection', stub.reset, 'UNEXPECTED_RESPONSE_ERROR'],
  ['closes early', stub.earlyClose, 'UNEXPECTED_RESPONSE_ERROR'],
  ['states a wrong length', stub.wrongLength, 'UNEXPECTED_RESPONSE_ERROR|FAILED_TO_PARSE_RESPONSE'],
  ['answers with a page', stub.html, 'INVALID_RESPONSE_CONTENT_TYPE'],
  ['answers with nothing', stub.empty, 'FAILED_TO_PARSE_RESPONSE'],
  ['answers 204', stub.nothing, 'INVALID_RESPONSE_CONTENT_TYPE|UNEXPECTED_RESPONSE_ERROR|FAILED_TO_PARSE_RESPONSE'],
  ['answers with 50 MB', stub.huge, 'UNEXPECTED_RESPONSE_ERROR'],
  ['answers with a gzip bomb', stub.gzipBomb, 'UNEXPECTED_RESPONSE_ERROR|INVALID_RESPONSE_CONTENT_TYPE'],
  ['redirects', stub.redirect('http://127.0.0.1:9/'), 'UNEXPECTED_RESPONSE_ERROR'],
  ['answers with broken JSON', stub.invalidJson, 'FAILED_TO_PARSE_RESPONSE'],
  ['answers with 100,000 brackets', stub.brackets, 'FAILED_TO_PARSE_RESPONSE'],
];

const legs: [string, string, string][] = [
  ['the miniapp', '/auth', 'miniapp_token'],
  ['the access token URL', '/token', 'exchange'],
  ['the user data URL', '/user', 'user_data'],
];

describe.each(legs)('%s', (_where, path, step) => {
  it.each(behaviours)('that %s gives the Error body within the deadline', async (how, behaviour, codes) => {
    const partner = path === '/auth' ? miniapp : hostApp;
    const code = `code ${step} ${how}`;
    hostApp.knows(code, { reference: 'u' });
    const ids = { client_id: pair.clientId, app_id: pair.appId };
    const call = () =>
      path === '/auth'
        ? service.call('POST', '/api/v1/connect/', { body: { ...ids, user: { reference: 'u' } }, headers: pair.basic })
        : service.call('POST', '/api/v1/authorize/', { body: { ...ids, auth_code: code } });
    const began = performance.now();
    const reply = await partner.during(path, behaviour, call);
    const ms = performance.now() - began;
    expect(reply.status).toBe(400);
    expect(codes.split('|')).toContain(reply.body.error_code);
    expect(reply.body.custom_attributes).toMatchObject({ side: path === '/auth' ? 'miniapp' : 'hostapp', step });
    // None of them would end by itself so soon. By how much the deadline is passed is measured by R7, and no matter of a busy machine's here.
    expect(ms).toBeLessThan(deadlineMs + 5000);
  });
});
