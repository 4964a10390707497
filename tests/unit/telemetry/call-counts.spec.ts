import { CallCounts } from '../../../src/adapters/out/telemetry/call-counts';
import { exposition } from '../../../src/adapters/out/telemetry/exposition';
import type { Exchange, Leg } from '../../../src/domain/exchanges/exchange';

const hour = 3_600_000;
const exchange = (parts: Partial<Exchange>): Exchange => ({
  ...{ id: 'x', requestId: 'r', call: 'connect', clientId: 'host_a', appId: 'app_a', at: 1000, ms: 40, status: 200 },
  ...{ checks: ['basic'], legs: [] },
  ...parts,
});
const leg = (parts: Partial<Leg>): Leg => ({ to: 'hostapp', step: 'refresh', attempt: 1, startedAt: 0, ms: 12, status: 200, ...parts });
const linesOf = (counts: CallCounts, name: string): string[] =>
  exposition(counts.samples())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`));

describe('counts of calls', () => {
  it('count requests by endpoint and status, and durations by bucket', () => {
    const counts = new CallCounts(10);
    counts.request('connect', 200, 7);
    counts.request('connect', 200, 30_000);
    counts.request('connect', 0, 5);
    counts.request(undefined, 404, 1);
    expect(linesOf(counts, 'pierhead_requests_total').sort()).toEqual([
      'pierhead_requests_total{call="connect",status="200"} 2',
      'pierhead_requests_total{call="connect",status="aborted"} 1',
      'pierhead_requests_total{call="other",status="404"} 1',
    ]);
    const durations = exposition(counts.samples());
    expect(durations).toContain('pierhead_request_duration_seconds_bucket{call="connect",le="0.005"} 1\n');
    expect(durations).toContain('pierhead_request_duration_seconds_bucket{call="connect",le="0.01"} 2\n');
    expect(durations).toContain('pierhead_request_duration_seconds_bucket{call="connect",le="20"} 2\n');
    expect(durations).toContain('pierhead_request_duration_seconds_bucket{call="connect",le="+Inf"} 3\n');
    expect(durations).toContain('pierhead_request_duration_seconds_sum{call="connect"} 30.012\n');
    expect(durations).toContain('pierhead_request_duration_seconds_count{call="connect"} 3\n');
  });

  it("tell who failed, and partners' own codes as one", () => {
    const counts = new CallCounts(10);
    counts.exchange(exchange({}));
    counts.exchange(exchange({ status: 400, errorCode: 'WORDS_OF_A_PARTNER', failedSide: 'hostapp', legs: [leg({})] }));
    counts.exchange(exchange({ status: 400, errorCode: 'INVALID_INPUT' }));
    counts.exchange(exchange({ status: 401, errorCode: 'ACCESS_DENIED', checks: [], refused: { check: 'basic', of: 'hostapp' } }));
    counts.exchange(exchange({ status: 503, errorCode: 'UNKNOWN_ERROR' }));
    expect(linesOf(counts, 'pierhead_integration_requests_total').sort()).toEqual([
      'pierhead_integration_requests_total{client_id="host_a",app_id="app_a",outcome="caller"} 2',
      'pierhead_integration_requests_total{client_id="host_a",app_id="app_a",outcome="hostapp"} 1',
      'pierhead_integration_requests_total{client_id="host_a",app_id="app_a",outcome="ok"} 1',
      'pierhead_integration_requests_total{client_id="host_a",app_id="app_a",outcome="platform"} 1',
    ]);
    expect(linesOf(counts, 'pierhead_errors_total')).toContain('pierhead_errors_total{error_code="partner"} 1');
    expect(exposition(counts.samples())).not.toContain('WORDS_OF_A_PARTNER');
    expect(linesOf(counts, 'pierhead_checks_refused_total')).toEqual(['pierhead_checks_refused_total{check="basic",of="hostapp"} 1']);
  });

  it('count unanswered calls to partners by cause', () => {
    const counts = new CallCounts(10);
    const unanswered = { status: undefined, errorCode: 'UNEXPECTED_RESPONSE_ERROR' };
    for (const cause of ['dns', 'dns', 'tls-host-name']) counts.leg(leg({ ...unanswered, cause }));
    counts.leg(leg({ status: 502, errorCode: 'UNEXPECTED_RESPONSE_ERROR', cause: 'http-502' }));
    expect(linesOf(counts, 'pierhead_partner_calls_unanswered_total')).toEqual([
      'pierhead_partner_calls_unanswered_total{side="hostapp",cause="dns"} 2',
      'pierhead_partner_calls_unanswered_total{side="hostapp",cause="tls-host-name"} 1',
    ]);
  });

  it('tell calls to partners, and tokens apart', () => {
    const counts = new CallCounts(10);
    counts.leg(leg({}));
    counts.leg(leg({ errorCode: 'EXPIRED_ACCESS_TOKEN', status: 401 }));
    counts.leg(leg({ step: 'client_token', status: undefined, errorCode: 'UNEXPECTED_RESPONSE_ERROR' }));
    counts.leg(leg({ to: 'miniapp', step: 'webhook' }));
    expect(linesOf(counts, 'pierhead_token_refreshes_total')).toEqual([
      'pierhead_token_refreshes_total{token="user",outcome="ok"} 1',
      'pierhead_token_refreshes_total{token="user",outcome="failed"} 1',
      'pierhead_token_refreshes_total{token="service",outcome="unanswered"} 1',
    ]);
    expect(linesOf(counts, 'pierhead_partner_calls_total')).toHaveLength(4);
  });
});

describe('the integrations that have numbers of their own', () => {
  const named = (counts: CallCounts): string[] => [
    ...new Set(linesOf(counts, 'pierhead_integration_requests_total').map((line) => /app_id="([^"]*)"/.exec(line)?.[1] ?? '')),
  ];

  it('are limited in number, and the others are counted together', () => {
    const counts = new CallCounts(3);
    for (let n = 0; n < 5000; n++) counts.exchange(exchange({ appId: `app_${String(n)}` }));
    expect(named(counts)).toEqual(['app_0', 'app_1', 'app_2', '(other)']);
    expect(linesOf(counts, 'pierhead_integration_requests_total')).toContain(
      'pierhead_integration_requests_total{client_id="(other)",app_id="(other)",outcome="ok"} 4997',
    );
  });

  it('never include invented ids, which are counted together', () => {
    const counts = new CallCounts(1);
    for (let n = 0; n < 5000; n++) counts.exchange(exchange({ clientId: `made_${String(n)}`, status: 401, checks: [] }));
    counts.exchange(exchange({}));
    expect(named(counts)).toEqual(['app_a', '(unknown)']);
  });

  it('lose their slots after an idle hour, and not before', () => {
    const counts = new CallCounts(1);
    counts.exchange(exchange({ appId: 'app_old' }));
    counts.exchange(exchange({ appId: 'app_new', at: hour }));
    expect(named(counts)).toEqual(['app_old', '(other)']);
    counts.exchange(exchange({ appId: 'app_new', at: 2 * hour }));
    expect(named(counts)).toEqual(['app_new', '(other)']);
  });
});
