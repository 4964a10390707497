import type { ManageExamples } from './example';

export const sandboxExamples: ManageExamples = {
  getSandbox: {
    answer: {
      available: true,
      partners: [
        {
          id: 'miniapp',
          url: 'http://localhost:8090/',
          dials: { delay_ms: 1, error_percent: 0, malformed_percent: 0, refused_percent: 0, hang_percent: 0 },
        },
      ],
      clock: { advanced_s: 691319.864, under_way: 0 },
      magic_values: {
        data: [
          { cents: '.01', name: 'declined', meaning: 'The simulated bank declines: the payment fails.' },
          { cents: '.02', name: 'stays in process', meaning: 'Nothing final is ever reported.' },
        ],
      },
    },
  },
  setDials: { body: { delay_ms: 1 }, answer: { delay_ms: 1, error_percent: 0, malformed_percent: 0, refused_percent: 0, hang_percent: 0 } },
  resetSandbox: { answer: { reset: true } },
  getWalk: {
    answer: {
      client_id: 'host_abc123def456',
      app_id: 'app_abc123',
      state: 'running',
      started_at: '2026-11-22T00:08:01.119Z',
      legs: [
        { from: 'host app', to: 'Pierhead', call: 'POST /api/v1/connect/', inner: false, status: 200, ms: 28 },
        { from: 'Pierhead', to: 'miniapp', call: 'POST /auth', status: 200, inner: true, ms: 2 },
      ],
    },
  },
  startWalk: {
    answer: { client_id: 'host_abc123def456', app_id: 'app_abc123', state: 'running', started_at: '2026-11-22T00:05:39.255Z', legs: [] },
  },
  windClock: {
    body: { seconds: 1 },
    answer: {
      advanced_s: 1,
      steps: [],
      clock: { advanced_s: 691320.032, under_way: 0, next: { what: 'payment', id: '01a20094cc3470008e4d25757371da24', in_s: 57.832 } },
    },
  },
  getUpcoming: {
    answer: {
      now: '2026-11-22T00:08:01.425Z',
      under_way: 0,
      next: { what: 'payment', id: '01a20094cc3470008e4d25757371da24', at: '2026-11-22T00:09:00.332Z', in_s: 58.907 },
    },
  },
  advanceTime: {
    body: { client_id: 'host_abc123def456', app_id: 'app_abc123', seconds: 1 },
    answer: { advanced_s: 1, deliveries: 0, payments: 1 },
  },
};
