/** The three lanes of a timeline. */
export type Lane = 'hostapp' | 'platform' | 'miniapp';

/** How people call them. */
export const nameOf = (lane: Lane): string => ({ hostapp: 'the host app', platform: 'Pierhead', miniapp: 'the miniapp' })[lane];

const byMiniapp: ReadonlySet<string> = new Set(['create_order_payment', 'get_payment_status', 'miniapp_event', 'miniapp_transactions']);

/** From which lane a call comes in (routes.ts); what a browser calls, the page of the host app calls. */
export function callerOf(call: string): Lane {
  if (call === 'reconcile') return 'platform';
  return byMiniapp.has(call) ? 'miniapp' : 'hostapp';
}
