import type { Exchange } from '../../../src/domain/exchanges/exchange';
import { FakeAuditReader, FakeExchangeReader } from '../../fakes/fake-readers';
import { testManageApi } from '../../support/service/manage-api';

const exchanges = new FakeExchangeReader();
const audit = new FakeAuditReader();
const api = testManageApi({ exchanges, audit });

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const exchange = (id: string): Exchange => ({
  id,
  requestId: 'r1',
  call: 'connect',
  clientId: 'h1',
  appId: 'm1',
  reference: 'us****23',
  at,
  ms: 12,
  status: 400,
  errorCode: 'UNEXPECTED_RESPONSE_ERROR',
  failedSide: 'miniapp',
  failedStep: 'miniapp_token',
  checks: ['basic'],
  legs: [
    {
      to: 'miniapp',
      step: 'miniapp_token',
      attempt: 1,
      startedAt: at,
      ms: 9,
      status: 500,
      errorCode: 'UNEXPECTED_RESPONSE_ERROR',
      cause: 'http-500',
    },
  ],
});
const shown = (id: string) => ({
  id,
  request_id: 'r1',
  call: 'connect',
  from: 'hostapp',
  client_id: 'h1',
  app_id: 'm1',
  reference: 'us****23',
  at: '2026-01-02T03:04:05.006Z',
  ms: 12,
  status: 400,
  error_code: 'UNEXPECTED_RESPONSE_ERROR',
  failed_side: 'miniapp',
  failed_step: 'miniapp_token',
  checks: ['basic'],
  legs: [
    {
      to: 'miniapp',
      step: 'miniapp_token',
      attempt: 1,
      started_at: '2026-01-02T03:04:05.006Z',
      ms: 9,
      status: 500,
      error_code: 'UNEXPECTED_RESPONSE_ERROR',
      cause: 'http-500',
    },
  ],
  verdict: {
    side: 'miniapp',
    sentence: 'The miniapp answered 500 when it was asked for its auth token.',
    next: 'Look into its log at this time; the request id went along as X-Request-Id.',
  },
});

it('shows exchanges in pages and one by one', async () => {
  exchanges.rows.push(exchange('e3'), exchange('e2'), exchange('e1'));
  const first = await api.get('exchanges?limit=2');
  expect([first.status, first.body]).toEqual([200, { data: [shown('e3'), shown('e2')], next_cursor: 'e2' }]);
  expect((await api.get('exchanges?cursor=e2')).body).toEqual({ data: [shown('e1')], next_cursor: null });
  expect((await api.get('exchanges/e1')).body).toEqual({ ...shown('e1'), curl: expect.stringMatching(/^curl -X POST/) });
  expect((await api.get('exchanges/e9')).status).toBe(404);
});

it('passes every filter on', async () => {
  const query =
    'client_id=h1&app_id=m1&call=connect&status=400&error_code=X&request_id=r1&from=2026-01-02T00:00:00Z&to=2026-01-03T01:00:00.5%2B01:00';
  expect((await api.get(`exchanges?${query}`)).status).toBe(200);
  expect(exchanges.calls.at(-1)).toEqual({
    filter: {
      clientId: 'h1',
      appId: 'm1',
      call: 'connect',
      status: 400,
      errorCode: 'X',
      requestId: 'r1',
      from: Date.UTC(2026, 0, 2),
      to: Date.UTC(2026, 0, 3, 0, 0, 0, 500),
    },
    page: { limit: 51, after: undefined },
  });
});

it('shows the audit trail in pages', async () => {
  const row = {
    at,
    actor: 'operator',
    action: 'host-app.created',
    subject: 'host-app:h1',
    requestId: 'r1',
    after: { name: 'x' },
    hash: 'ab12',
  };
  audit.rows.push({ id: '2', ...row }, { id: '1', ...row });
  const entry = {
    at: '2026-01-02T03:04:05.006Z',
    actor: 'operator',
    action: 'host-app.created',
    subject: 'host-app:h1',
    request_id: 'r1',
    after: { name: 'x' },
    hash: 'ab12',
  };
  expect((await api.get('audit?limit=1&subject=host-app:h1&action=host-app.created')).body).toEqual({
    data: [{ id: '2', ...entry }],
    next_cursor: '2',
  });
  expect(audit.calls.at(-1)).toEqual({
    filter: { subject: 'host-app:h1', action: 'host-app.created' },
    page: { limit: 2, after: undefined },
  });
  expect((await api.get('audit?cursor=2')).body).toEqual({ data: [{ id: '1', ...entry }], next_cursor: null });
});

it.each([
  'exchanges?status=x',
  'exchanges?status=99',
  'exchanges?from=yesterday',
  'exchanges?from=2026-13-01T00:00:00Z',
  'exchanges?to=2026-01-01',
  'exchanges?call=',
  'exchanges?call=a%20b',
  'exchanges?request_id=%00',
  'exchanges?user=1',
  'audit?client_id=h1',
  'audit?from=1',
  'audit?limit=1e1',
])('refuses %s', async (path) => {
  const answer = await api.get(path);
  expect([answer.status, answer.body.type, answer.body.errors.length]).toEqual([400, 'urn:pierhead:problem:invalid-content', 1]);
});
