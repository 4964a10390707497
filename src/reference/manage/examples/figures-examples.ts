import type { ManageExamples } from './example';

export const figuresExamples: ManageExamples = {
  getTraffic: {
    answer: {
      from: '2026-11-20T23:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
      slot_s: 3600,
      data: [
        { at: '2026-11-20T23:00:00.000Z', ok: 0, partner_error: 0, refused: 0, platform_error: 0 },
        { at: '2026-11-21T00:00:00.000Z', ok: 0, partner_error: 0, refused: 0, platform_error: 0 },
      ],
    },
  },
  getLatency: {
    answer: {
      from: '2026-11-20T23:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
      slot_s: 3600,
      data: [
        { at: '2026-11-20T23:00:00.000Z', count: 0 },
        { at: '2026-11-21T23:00:00.000Z', count: 2, p50: 5, p95: 5, p99: 5, mean: 5, platform: 5, host_app: 0, miniapp: 0 },
      ],
      whole: { count: 2, p50: 5, p95: 5, p99: 5, mean: 5, platform: 5, host_app: 0, miniapp: 0 },
    },
  },
  getErrors: {
    answer: {
      from: '2026-06-01T08:00:00.000Z',
      to: '2026-06-01T12:00:00.000Z',
      slot_s: 300,
      statuses: [
        { outcome: 'partner_error', status: 502, count: 24 },
        { outcome: 'refused', status: 401, count: 1 },
      ],
      failures: [
        {
          outcome: 'partner_error',
          error_code: 'FAILED_TO_PARSE_RESPONSE',
          failed_side: 'miniapp',
          failed_step: 'miniapp_token',
          count: 24,
        },
      ],
    },
  },
  getRefusals: {
    answer: {
      from: '2026-06-01T08:00:00.000Z',
      to: '2026-06-01T12:00:00.000Z',
      slot_s: 300,
      data: [
        { at: '2026-06-01T08:00:00.000Z', basic: 0, signature: 1, address: 0, feature: 0, other: 0 },
        { at: '2026-06-01T08:05:00.000Z', basic: 0, signature: 0, address: 0, feature: 0, other: 0 },
      ],
    },
  },
  getRefreshes: {
    answer: {
      from: '2026-11-20T23:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
      slot_s: 3600,
      data: [{ at: '2026-11-20T23:00:00.000Z', user: { ok: 0, failed: 0, shared: 0 }, client: { ok: 0, failed: 0, shared: 0 } }],
    },
  },
  getCallCounts: {
    answer: {
      from: '2026-06-01T08:00:00.000Z',
      to: '2026-06-01T12:00:00.000Z',
      slot_s: 300,
      data: [
        { call: 'connect', ok: 144, partner_error: 16, refused: 1, platform_error: 1 },
        { call: 'authorize', ok: 72, partner_error: 8, refused: 0, platform_error: 0 },
      ],
    },
  },
  getSpread: {
    answer: {
      from: '2026-06-01T08:00:00.000Z',
      to: '2026-06-01T12:00:00.000Z',
      slot_s: 300,
      data: [
        { at: '2026-06-01T08:00:00.000Z', from_ms: 5, to_ms: 10, count: 1 },
        { at: '2026-06-01T08:00:00.000Z', from_ms: 10, to_ms: 20, count: 6 },
      ],
    },
  },
  getPairFigures: {
    answer: {
      from: '2026-11-20T23:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
      slot_s: 3600,
      series_slot_s: 3600,
      total: 1,
      data: [
        {
          client_id: 'host_abc123def456',
          app_id: 'app_abc123',
          ok: 1,
          partner_error: 0,
          refused: 0,
          platform_error: 0,
          p95: 5,
          host_app_ms: 0,
          miniapp_ms: 0,
          last_at: '2026-11-21T23:50:31.746Z',
          series: [
            { at: '2026-11-20T23:00:00.000Z', ok: 0, partner_error: 0, refused: 0, platform_error: 0 },
            { at: '2026-11-21T00:00:00.000Z', ok: 0, partner_error: 0, refused: 0, platform_error: 0 },
          ],
        },
      ],
      next_cursor: null,
    },
  },
  getPaymentFigures: {
    answer: {
      from: '2026-11-21T00:00:00.000Z',
      to: '2026-11-22T01:00:00.000Z',
      funnel: { created: 3, accepted: 3, final: 2, noticed: 2 },
      in_process: 1,
      overdue: 0,
      overdue_after_ms: 900000,
      time_to_final: {
        bars: [
          { from_ms: 0, to_ms: 1000, final: 2, overdue: 0 },
          { from_ms: 1000, to_ms: 5000, final: 0, overdue: 0 },
        ],
        p50_ms: 66,
        p95_ms: 76,
      },
    },
  },
  getDeliveryFigures: {
    answer: {
      from: '2026-11-20T23:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
      attempt_edges: [1, 2, 3, 4, 5, 6, 11],
      endpoints: [
        {
          lane: 'hostapp:host_abc123def456:event',
          count: 1,
          delivered: 0,
          failed: 0,
          attempted: 0,
          first_try: 0,
          by_attempts: [0, 0, 0, 0, 0, 0, 0],
        },
      ],
      backlog: {
        depth: 2,
        oldest: '2026-11-21T23:50:31.066Z',
        line: [
          { at: '2026-11-20T23:24:51.661Z', depth: 0 },
          { at: '2026-11-21T23:51:39.653Z', depth: 2 },
        ],
      },
    },
  },
};
