/** The three lanes of a timeline. */
export type Lane = 'hostapp' | 'platform' | 'miniapp';

/** The display name of a lane. */
export const nameOf = (lane: Lane): string => ({ hostapp: 'the host app', platform: 'Pierhead', miniapp: 'the miniapp' })[lane];

const byMiniapp: ReadonlySet<string> = new Set(['create_order_payment', 'get_payment_status', 'miniapp_event', 'miniapp_transactions']);

/** The lane that a call comes from (routes.ts); calls by a browser come from the host app's page. */
export function callerOf(call: string): Lane {
  if (call === 'reconcile') return 'platform';
  return byMiniapp.has(call) ? 'miniapp' : 'hostapp';
}
