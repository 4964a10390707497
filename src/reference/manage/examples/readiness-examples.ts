import type { ManageExamples } from './example';

export const readinessExamples: ManageExamples = {
  listReadiness: {
    answer: {
      data: [
        {
          client_id: 'host_abc123def456',
          app_id: 'app_abc123',
          status: 'accepted',
          mode: 'test',
          percent: 60,
          to_do: 2,
          next: {
            id: 'features',
            title: 'A feature is switched on',
            state: 'missing',
            detail: 'Switch a feature on in the host app, the miniapp and the integration.',
          },
        },
      ],
      next_cursor: null,
    },
  },
  getReadiness: {
    answer: {
      client_id: 'host_abc123def456',
      app_id: 'app_abc123',
      status: 'proposed',
      mode: 'test',
      percent: 40,
      to_do: 3,
      next: { id: 'accepted', title: 'The integration is accepted', state: 'missing', detail: 'The integration is proposed: accept it.' },
      items: [
        {
          id: 'hostapp-proven',
          title: "The host app's calls are proven",
          state: 'failing',
          detail: 'Its calls are taken without any check: switch one on.',
          at: '2026-11-21T23:50:31.066Z',
          exchange_id: 'ex_own',
        },
      ],
    },
  },
  checkReadiness: {
    answer: {
      client_id: 'host_abc123def456',
      app_id: 'app_abc123',
      status: 'proposed',
      mode: 'test',
      percent: 40,
      to_do: 3,
      next: { id: 'accepted', title: 'The integration is accepted', state: 'missing', detail: 'The integration is proposed: accept it.' },
      items: [
        {
          id: 'hostapp-proven',
          title: "The host app's calls are proven",
          state: 'failing',
          detail: 'Its calls are taken without any check: switch one on.',
          at: '2026-11-21T23:50:31.066Z',
          exchange_id: 'ex_own',
        },
      ],
    },
  },
  goLive: {
    body: { reason: 'The fair is tomorrow' },
    answer: {
      client_id: 'host_abc123def456',
      app_id: 'app_abc123',
      status: 'accepted',
      mode: 'live',
      percent: 28,
      to_do: 10,
      next: { id: 'host-app-urls', title: "The host app's URLs are set", state: 'missing', detail: 'Not set: user_data_url.' },
      live: {
        at: '2026-01-01T00:00:00.000Z',
        by: 'operator',
        reason: 'The fair is tomorrow',
        missing: ['host-app-urls', 'host-app-reachable', 'miniapp-reachable', 'tls', 'hostapp-proven', 'miniapp-proven'],
      },
      items: [
        { id: 'accepted', title: 'The integration is accepted', state: 'done', detail: 'Both sides agreed.' },
        { id: 'features', title: 'A feature is switched on', state: 'done', detail: 'On at all three levels: sign-on, events.' },
      ],
    },
  },
  backToTest: {
    body: { reason: 'The fair is over' },
    answer: {
      client_id: 'host_abc123def456',
      app_id: 'app_abc123',
      status: 'accepted',
      mode: 'test',
      percent: 28,
      to_do: 10,
      next: { id: 'host-app-urls', title: "The host app's URLs are set", state: 'missing', detail: 'Not set: user_data_url.' },
      items: [
        { id: 'accepted', title: 'The integration is accepted', state: 'done', detail: 'Both sides agreed.' },
        { id: 'features', title: 'A feature is switched on', state: 'done', detail: 'On at all three levels: sign-on, events.' },
      ],
    },
  },
};
