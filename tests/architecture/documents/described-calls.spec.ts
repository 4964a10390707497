import { DescribedCalls, type RecordedCall } from '../../support/described/described-calls';
import { DescribedOutbound, type OutboundRequest } from '../../support/described/described-outbound';

const calls = new DescribedCalls();
const outbound = new DescribedOutbound();

const headers = (more: Record<string, string> = {}): Headers =>
  new Headers({ 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': 'r1', ...more });
const rates = { 'RateLimit-Limit': '120', 'RateLimit-Remaining': '119', 'RateLimit-Reset': '60' };
const consent: RecordedCall = {
  method: 'GET',
  target: '/api/v1/accounts/consent/get_consent/?client_id=host_1&app_id=app_1&user_reference=u1',
  status: 200,
  headers: headers(rates),
  text: '{"is_consented":true}',
};
const completion: RecordedCall = {
  method: 'POST',
  target: '/api/v1/orders/complete-order',
  sent: '{"client_id":"host_1","app_id":"app_1","order_payment_id":"p1","payment_status":"paid","payment_fail_reason":null}',
  status: 200,
  headers: headers(),
  text: '{"order_payment_id":"p1","payment_status":"paid"}',
};
const refused: RecordedCall = { ...consent, status: 400, text: '{"error_code":"INVALID_INPUT","error_message":"no"}' };
const audit: RecordedCall = {
  method: 'GET',
  target: '/manage/v1/audit?action=host-app.changed',
  status: 200,
  headers: headers(),
  text: '{"data":[],"next_cursor":null}',
};
const webhook: OutboundRequest = {
  method: 'POST',
  path: '/webhook',
  headers: {
    ...{ 'content-type': 'application/json', 'x-hostapp-client-id': 'host_1', 'x-miniapp-app-id': 'app_1', 'x-request-id': 'r1' },
    ...{ 'webhook-id': 'd1', 'webhook-timestamp': '1800000000' },
  },
  body: Buffer.from('{"app_id":"app_1","client_id":"host_1","order_payment_id":"p1","payment_status":"paid"}'),
};

describe('a call that is as the documents say', () => {
  it.each([
    ['an answer', consent, 'api getConsent'],
    ['a refusal', refused, 'api getConsent'],
    ['a body whose null is as absent, at a path without its final slash', completion, 'api completeOrder'],
    ['a call of the manage API', audit, 'manage listAudit'],
    ['a path that does not exist', { ...consent, target: '/api/v1/nothing/', status: 404 }, undefined],
    ['a method that the path does not take', { ...consent, method: 'PUT', status: 405, headers: headers({ Allow: 'GET' }) }, undefined],
    ['a preflight', { ...consent, method: 'OPTIONS', status: 204, text: '' }, undefined],
    ['what the documents are not about', { ...consent, target: '/health/live', text: 'anything' }, undefined],
  ] as [string, RecordedCall, string | undefined][])('passes: %s', (_what, call, operation) => {
    expect(calls.check(call)).toEqual({ ...(operation && { operation }), problems: [] });
  });
});

describe('a call that is not as the documents say', () => {
  it.each([
    ['a status that is not described', { ...consent, status: 418 }, /status 418/],
    ['a member of another type', { ...consent, text: '{"is_consented":"yes"}' }, /is_consented must be boolean/],
    ['a member that is missing', { ...consent, text: '{}' }, /required property 'is_consented'/],
    ['a member more', { ...consent, text: '{"is_consented":true,"since":1}' }, /unevaluated.*since/],
    ['a member more within', { ...audit, text: '{"data":[{"id":"1","planted":1}],"next_cursor":null}' }, /planted/],
    ['a time that is none', { ...audit, text: audit.text.replace('[]', '[{"at":"today"}]') }, /date-time|required/],
    [
      'a code that the call does not refuse with',
      { ...refused, text: refused.text.replace('INPUT', 'ORDER_DATA') },
      /error_code must be equal/,
    ],
    ['a header that is missing', { ...consent, headers: headers() }, /RateLimit-Reset is not there/],
    ['a header of another type', { ...consent, headers: headers({ ...rates, 'RateLimit-Reset': 'soon' }) }, /RateLimit-Reset: .*integer/],
    [
      'a request id that is missing',
      { ...audit, headers: new Headers({ 'Content-Type': 'application/json' }) },
      /X-Request-Id is not there/,
    ],
    ['a header that another answer has', { ...audit, headers: headers({ ETag: '"1"' }) }, /etag is not described/],
    ['another content type', { ...consent, headers: headers({ ...rates, 'Content-Type': 'text/html' }) }, /content type text\/html/],
    [
      'a body where there is none',
      { ...audit, method: 'DELETE', target: '/manage/v1/miniapps/app_1', status: 204 },
      /body is not described/,
    ],
    ['a parameter that is not described', { ...consent, target: `${consent.target}&since=1` }, /parameter since/],
    [
      'a required parameter that was not asked for',
      { ...consent, target: consent.target.replace('&user_reference=u1', '') },
      /user_reference/,
    ],
    ['a body that should not have been taken', { ...completion, sent: '{"client_id":"host_1","app_id":"app_1"}' }, /order_payment_id/],
    ['a path that is not described', { ...consent, target: '/api/v1/nothing/' }, /No path/],
    ['a method that is not described', { ...consent, method: 'PUT' }, /No such method/],
  ] as [string, RecordedCall, RegExp][])('is reported: %s', (_what, call, message) => {
    const { problems } = calls.check(call);
    expect(problems.join('\n')).toMatch(message);
  });
});

describe('a request to a partner', () => {
  it('passes as it is described, and where a test has a path of its own', () => {
    expect(outbound.problems(webhook)).toEqual([]);
    expect(outbound.problems({ ...webhook, path: '/elsewhere', method: 'PUT' })).toEqual([]);
  });

  it.each([
    ['another method', { ...webhook, method: 'PUT' }, /method PUT/],
    ['another content type', { ...webhook, headers: { ...webhook.headers, 'content-type': 'text/plain' } }, /content type/],
    ['a header that is missing', { ...webhook, headers: { ...webhook.headers, 'webhook-id': undefined } }, /webhook-id is not there/],
    ['a header of another form', { ...webhook, headers: { ...webhook.headers, 'webhook-timestamp': 'now' } }, /webhook-timestamp/],
    ['a member that is missing', { ...webhook, body: Buffer.from('{"app_id":"a","client_id":"c"}') }, /order_payment_id/],
    ['a member more', { ...webhook, body: Buffer.from(webhook.body.toString().replace('{', '{"planted":1,')) }, /planted/],
    ['a word that is not one', { ...webhook, body: Buffer.from(webhook.body.toString().replace('paid', 'in_process')) }, /payment_status/],
    ['a body to a GET', { ...webhook, path: '/user', method: 'GET' }, /body is not described/],
  ] as [string, OutboundRequest, RegExp][])('is reported: %s', (_what, request, message) => {
    expect(outbound.problems(request).join('\n')).toMatch(message);
  });
});
