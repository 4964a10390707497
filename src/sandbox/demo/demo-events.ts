import type { SandboxPair } from '../setup/sandbox-pair';
import { refuses, hasMember } from './demo-checks';
import type { Step } from './demo-step';

/** An event in each direction. One without a type is refused without calls to the partners. */
export function eventSteps({ clientId, appId }: SandboxPair): Step[] {
  const ids = { client_id: clientId, app_id: appId };
  const cart = { ...ids, event_type: 'cart.changed', payload: { items: 2, total: '24.90' } };
  const language = { ...ids, event_type: 'language.changed', payload: { language: 'nb' } };
  const toHostApp = { from: 'miniapp', method: 'POST', path: '/api/v1/events/miniapp/' } as const;
  return [
    {
      ...toHostApp,
      body: cart,
      status: 200,
      check: hasMember('received', cart.event_type),
      partnerCalls: [{ to: 'host app', call: 'POST /events' }],
    },
    {
      from: 'host app',
      method: 'POST',
      path: '/api/v1/events/hostapp/',
      body: language,
      status: 200,
      check: hasMember('received', language.event_type),
      partnerCalls: [{ to: 'miniapp', call: 'POST /events' }],
    },
    { ...toHostApp, body: { ...ids, payload: {} }, status: 400, check: refuses('INVALID_EVENT_DATA'), partnerCalls: [] },
  ];
}
