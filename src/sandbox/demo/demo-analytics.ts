import type { SandboxPair } from '../setup/sandbox-pair';
import { basicHeader, refuses, hasMember } from './demo-checks';
import type { Step } from './demo-step';

/** The miniapp reports a sale; with a wrong secret it is refused. */
export function analyticsSteps({ clientId, appId, miniappSecretKey }: SandboxPair): Step[] {
  const record = { transaction_id: 'order-1001', amount: '24.90', currency: 'USD', occurred_at: '2026-01-15T10:30:00Z' };
  const call = {
    from: 'miniapp',
    method: 'POST',
    path: '/api/v1/analytics/miniapp-transactions/',
    body: record,
    partnerCalls: [],
  } as const;
  const names = { 'X-Hostapp-Client-Id': clientId, 'X-Miniapp-App-Id': appId };
  return [
    { ...call, headers: { ...names, ...basicHeader(appId, miniappSecretKey) }, status: 200, check: hasMember('status', 'accepted') },
    { ...call, headers: { ...names, ...basicHeader(appId, 'not-the-secret') }, status: 401, check: refuses('ACCESS_DENIED') },
  ];
}
