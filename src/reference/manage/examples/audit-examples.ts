import type { ManageExamples } from './example';
import { hostApp } from './partner-example';

export const auditExamples: ManageExamples = {
  listUsers: {
    answer: {
      data: [
        {
          id: '08ee472c406d10b29db303dc328c45e3c6bc2dea576df2425da52ed02d879676',
          client_id: 'host_abc123def456',
          reference: 'us****05',
          first_sign_on_at: '2026-11-22T00:07:08.968Z',
          last_sign_on_at: '2026-11-22T00:07:08.968Z',
          tokens: { stored_at: '2026-11-22T00:07:08.980Z', refreshable: false },
          consents: [{ app_id: 'app_abc123', granted: true, at: '2026-11-22T00:07:08.968Z' }],
        },
      ],
      next_cursor: null,
    },
  },
  eraseUser: {
    body: { client_id: 'host_abc123def456', user_id: '08ee472c406d10b29db303dc328c45e3c6bc2dea576df2425da52ed02d879676' },
    answer: {
      removed: { users: 1, tokens: 0, consents: 1, consent_entries: 1, payments: 0, reports: 0, deliveries: 0, owed_deliveries: 0 },
    },
  },
  exportUser: {
    body: { client_id: 'host_abc123def456', user_id: 'bcaf1e2549f827b92412d6d3fa5886ff1cf2eca27c044ec67fdc11178b2578a0' },
    answer: {
      client_id: 'host_abc123def456',
      reference: 'user-dddd-0004',
      first_sign_on_at: '2026-11-22T00:07:08.898Z',
      last_sign_on_at: '2026-11-22T00:07:08.898Z',
      user_data: { email: 'someone@example.com', first_name: 'Ann' },
      tokens: { stored: false },
      consent_entries: [{ app_id: 'app_abc123', granted: true, call: 'connect', at: '2026-11-22T00:07:08.898Z' }],
      payments: [],
      reported_transactions: [],
      is_cut: false,
    },
  },
  revokeUserTokens: {
    body: { client_id: 'host_abc123def456', user_id: '08ee472c406d10b29db303dc328c45e3c6bc2dea576df2425da52ed02d879676' },
    answer: { revoked: true },
  },
  listAudit: {
    answer: {
      data: [
        {
          id: '1',
          at: '2026-11-22T00:07:08.450Z',
          actor: 'operator',
          action: 'host-app.created',
          subject: 'host-app:host_abc123def456',
          request_id: 'fb552b6b-8377-4e31-8953-80b6338af620',
          after: {
            ...hostApp,
            version: 1,
            credentials: {
              secret_key: { current: { created_at: '2026-11-22T00:07:08.449Z', fingerprint: 'sha256:cd46d36b9b3b3e65' } },
              host_app_secret_key: { current: { created_at: '2026-11-22T00:07:08.448Z', fingerprint: 'sha256:4f3549e0d9600e0a' } },
            },
          },
          hash: '2e77c6e1b939b6b577f37c2eb192c874bb4f24e667884e6abd4a92aa7c5401d5',
        },
      ],
      next_cursor: null,
    },
  },
  verifyAudit: {
    answer: {
      whole: false,
      entries: 1,
      last: { id: '1', hash: 'f27ec0afd6eafe76a6a2c404ef8684ef40d67147f57d2d67febe9e023b149b0d' },
      broken: { id: '2', cause: 'changed' },
    },
  },
};
