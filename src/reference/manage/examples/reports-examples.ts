import type { ManageExamples } from './example';

export const reportsExamples: ManageExamples = {
  listProblems: {
    answer: {
      from: '2025-12-31T00:00:00.000Z',
      to: '2026-01-01T00:00:00.000Z',
      data: [
        {
          error_code: 'FAILED_TO_PARSE_RESPONSE',
          failed_side: 'miniapp',
          failed_step: 'miniapp_token',
          client_id: 'host_abc123def456',
          app_id: 'app_abc123',
          state: 'muted',
          count: 5,
          first_at: '2025-12-31T23:55:00.000Z',
          last_at: '2025-12-31T23:59:00.000Z',
          calls: ['connect'],
          acts: 'miniapp',
          sentence: 'The miniapp answered with something that is not valid JSON when it was asked for its auth token.',
          next: 'Look into its log at this time; the request id went along as X-Request-Id.',
          exchange_id: 'ex_000004',
          muted: { by: 'operator', reason: 'being mended', at: '2026-01-01T00:00:00.000Z' },
        },
      ],
    },
  },
  muteProblem: {
    body: {
      error_code: 'FAILED_TO_PARSE_RESPONSE',
      failed_side: 'miniapp',
      failed_step: 'miniapp_token',
      client_id: 'host_abc123def456',
      app_id: 'app_abc123',
      reason: 'being mended',
    },
  },
  unmuteProblem: {
    body: {
      error_code: 'FAILED_TO_PARSE_RESPONSE',
      failed_side: 'miniapp',
      failed_step: 'miniapp_token',
      client_id: 'host_abc123def456',
      app_id: 'app_abc123',
    },
  },
  listEndingCredentials: { answer: { data: [] } },
  listTransactions: {
    answer: {
      data: [
        {
          id: '01a2009529f37000ba6e34fe43924415',
          transaction_id: 'tx-1',
          client_id: 'host_abc123def456',
          app_id: 'app_abc123',
          status: 'paid',
          currency: 'USD',
          amount: '1.10',
          shipping: '1.50',
          tax: '0.20',
          discount: '0.00',
          order_payment_id: 'op-1',
          miniapp_order_id: 'order-1',
          at: '2026-01-02T02:04:05.000Z',
          received_at: '2026-11-22T00:08:25.331Z',
          request_id: 'tx-request-1',
        },
      ],
      next_cursor: null,
    },
  },
  sumTransactions: {
    answer: {
      data: [
        {
          day: '2026-11-22',
          client_id: 'host_abc123def456',
          app_id: 'app_abc123',
          currency: 'USD',
          status: 'paid',
          count: 1,
          amount: '1.10',
          shipping: '0.00',
          tax: '1.00',
          discount: '0.00',
        },
      ],
      next_cursor: null,
    },
  },
  listDifferences: {
    answer: {
      data: [
        {
          kind: 'only_reported',
          order_payment_id: 'op-unknown',
          transaction_id: 'tx-1',
          differs: [],
          reported: { status: 'paid', amount: '1.10', currency: 'USD', at: '2026-11-22T00:08:41.324Z' },
        },
      ],
      next_cursor: null,
    },
  },
  listPaidDays: {
    answer: {
      data: [
        {
          day: '2026-01-02',
          currency: 'USD',
          difference: '1.10',
          reported: { count: 1, amount: '1.10' },
          relayed: { count: 0, amount: '0.00' },
        },
      ],
      next_cursor: null,
    },
  },
};
