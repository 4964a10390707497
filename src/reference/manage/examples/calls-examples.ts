import type { ManageExamples } from './example';

export const callsExamples: ManageExamples = {
  listExchanges: {
    answer: {
      data: [
        {
          id: '01a2009217ee70009f9c809fd0a65194',
          request_id: 'verdict-13',
          call: 'create_order_payment',
          from: 'miniapp',
          client_id: 'host_abc123def456',
          app_id: 'app_abc123',
          at: '2026-11-22T00:05:03.389Z',
          ms: 721,
          status: 400,
          error_code: 'UNEXPECTED_RESPONSE_ERROR',
          failed_side: 'hostapp',
          failed_step: 'create',
          checks: ['address'],
          part_of: '01a2009215247000a361c877379d775e',
          verdict: {
            side: 'hostapp',
            sentence: 'The host app did not answer in time when it was asked for the payment.',
            next: 'Find out what takes so long at this call; the time split shows how long the others took.',
          },
          legs: [
            {
              to: 'hostapp',
              step: 'create',
              attempt: 1,
              started_at: '2026-11-22T00:05:03.411Z',
              ms: 683,
              error_code: 'UNEXPECTED_RESPONSE_ERROR',
              cause: 'timeout',
            },
          ],
        },
      ],
      next_cursor: null,
    },
  },
  getExchange: {
    answer: {
      id: '01a20092fc897000b214429044f787b6',
      request_id: 'evidence-15514952251155156',
      call: 'create_order_payment',
      from: 'miniapp',
      client_id: 'host_abc123def456',
      app_id: 'app_abc123',
      at: '2026-11-22T00:06:01.539Z',
      ms: 0,
      status: 401,
      error_code: 'INVALID_SIGNATURE',
      failed_side: 'miniapp',
      checks: [],
      refused: { check: 'signature', of: 'miniapp' },
      verdict: {
        side: 'miniapp',
        sentence: 'The miniapp did not sign its call as agreed.',
        next: 'Have the signature explained: that names what was signed differently, and gives code that signs it right.',
      },
      legs: [],
      curl: 'curl -X POST \'https://platform.example/api/v1/orders/create-order-payment/\' \\\n  -H \'Content-Type: application/json\' \\\n  -H \'X-Request-Id: evidence-15514952251155156-again\' \\\n  -H \'X-Timestamp: UNIX_TIME\' \\\n  -H \'X-Signature: YOUR_SIGNATURE\' \\\n  --data \'{"client_id":"host_abc123def456","app_id":"app_abc123","order":{"currency":"CURRENCY","amount":"AMOUNT"}}\'',
      explainable: true,
    },
  },
  revealRequest: {
    answer: {
      method: 'POST',
      target: '/api/v1/orders/create-order-payment/',
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Client-Id', 'cid_1'],
        ['X-Timestamp', '1795306021'],
        ['X-Signature', 'oM0kE7CWEIWP9cl2yMdYRO4AQG3b+rhGYeCWrJUy/ck='],
        ['X-Request-Id', 'evidence-7423882238430493'],
        ['X-Note', 'user@example.com'],
        ['Host', 'platform.example'],
        ['Accept-Encoding', 'gzip, deflate'],
        ['Content-Length', '361'],
        ['Connection', 'close'],
      ],
      body_base64:
        'eyJhcHBfaWQiOiJhcHBfSkdNYnlFIiwiY2xpZW50X2lkIjoiaG9zdF8wNHhqQ2d4YjZHSXgiLCJvcmRlciI6eyJjdXJyZW5jeSI6IkVVUiIsImFtb3VudCI6NzcxMjMuNDUsIm1pbmlhcHBfb3JkZXJfaWQiOiJDQU5BUlktb3JkZXItMSIsImhvc3RhcHBfdXNlcl9pZCI6IkNBTkFSWS11c2VyLTciLCJzaGlwcGluZ19hZGRyZXNzIjp7ImZpcnN0X25hbWUiOiJDYW5hcmluYSIsImVtYWlsIjoiY2FuYXJ5LnBlcnNvbkBtYWlsLmV4YW1wbGUiLCJwaG9uZSI6Iis0OTE3NjAwMDAwMDE3IiwiYWRkcmVzc18xIjoiQ2FuYXJ5IFN0cmVldCA5In0sImN1c3RvbV9hdHRyaWJ1dGVzIjp7IkNhbmFyaW5hIGtleSI6Iis0OTE3NjAwMDAwMDE3In19fQ==',
    },
  },
  findById: { answer: { data: [{ kind: 'host_app', id: 'host_abc123def456', by: 'client id', client_id: 'host_abc123def456' }] } },
};
