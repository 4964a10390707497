import type { ConformanceContext } from '../context';
import type { CallKind, Role } from '../ports';

/** The name of a call, for ids and for sentences. */
export interface CallName {
  readonly kind: CallKind;
  readonly slug: string;
  readonly name: string;
}

const names: Readonly<Record<CallKind, Omit<CallName, 'kind'>>> = {
  exchange: { slug: 'access-token', name: 'Access token URL' },
  refresh: { slug: 'refresh-token', name: 'Refresh token URL' },
  user_data: { slug: 'user-data', name: 'User data URL' },
  create: { slug: 'create-payment', name: 'Create order payment URL' },
  status: { slug: 'payment-status', name: 'Get order payment status URL' },
  miniapp_token: { slug: 'auth-token', name: 'Get auth token URL' },
  webhook: { slug: 'webhook', name: 'Webhook URL' },
  event: { slug: 'events', name: 'Events bridge URL' },
};

export const callNamed = (kind: CallKind): CallName => ({ kind, ...names[kind] });

/** The calls that the service makes as itself, with a body. */
export const platformCalls: Readonly<Record<Role, readonly CallName[]>> = {
  miniapp: (['miniapp_token', 'webhook', 'event'] as const).map(callNamed),
  'host-app': (['exchange', 'refresh', 'create', 'status', 'event'] as const).map(callNamed),
};

/** The call for tests that need only one call; it can be repeated freely. */
export const leadCall: Readonly<Record<Role, CallName>> = { miniapp: callNamed('miniapp_token'), 'host-app': callNamed('create') };

/** Payment calls may carry a user's token instead of the service's credentials. */
export const carriesUserToken = ({ usesAccessToken }: ConformanceContext, kind: CallKind): boolean =>
  usesAccessToken && (kind === 'create' || kind === 'status');

/** The call to test; `lead` is the role's lead call. */
export type Tried = CallKind | 'lead';

export const kindOf = ({ role }: ConformanceContext, tried: Tried): CallKind => (tried === 'lead' ? leadCall[role].kind : tried);
