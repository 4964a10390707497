import type { ManageExamples } from './example';

export const evidenceExamples: ManageExamples = {
  shareEvidence: {
    body: { expires_in_s: 60 },
    answer: {
      id: '01a2009303c170008c2340b16ff4b560',
      exchange_id: '01a20093029570009e41d21ebf0e3d06',
      client_id: 'host_abc123def456',
      app_id: 'app_abc123',
      state: 'open',
      created_by: 'operator',
      created_at: '2026-11-22T00:06:01.539Z',
      expires_at: '2026-11-22T00:07:01.539Z',
      opened: 0,
      url: 'https://platform.example/evidence/Ha9vcuGpWqOIL338doLkr5a117seJlmvrzENCK3RWW1',
    },
  },
  listEvidence: {
    answer: {
      data: [
        {
          id: '01a2009303e27000ab3d984327261830',
          exchange_id: '01a20093029570009e41d21ebf0e3d06',
          client_id: 'host_abc123def456',
          app_id: 'app_abc123',
          state: 'revoked',
          created_by: 'operator',
          created_at: '2026-11-22T00:06:01.539Z',
          expires_at: '2026-11-29T00:06:01.539Z',
          revoked_at: '2026-11-22T00:07:01.539Z',
          opened: 1,
          opened_at: '2026-11-22T00:07:01.539Z',
        },
      ],
      next_cursor: null,
    },
  },
  revokeEvidence: {
    answer: {
      id: '01a2009303e27000ab3d984327261830',
      exchange_id: '01a20093029570009e41d21ebf0e3d06',
      client_id: 'host_abc123def456',
      app_id: 'app_abc123',
      state: 'revoked',
      created_by: 'operator',
      created_at: '2026-11-22T00:06:01.539Z',
      expires_at: '2026-11-29T00:06:01.539Z',
      revoked_at: '2026-11-22T00:07:01.539Z',
      opened: 1,
      opened_at: '2026-11-22T00:07:01.539Z',
    },
  },
};
