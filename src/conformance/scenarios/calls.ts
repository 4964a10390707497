import type { Facts } from '../facts';
import type { CallKind, Role } from '../ports';

/** What a call is called in ids and in sentences. */
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

/** The call on which all is tried that need not be tried on each: one that can be made again and again. */
export const leadCall: Readonly<Record<Role, CallName>> = { miniapp: callNamed('miniapp_token'), 'host-app': callNamed('create') };

/** Payment calls may carry the token of a user in place of what proves the service. */
export const carriesUserToken = ({ usesAccessToken }: Facts, kind: CallKind): boolean =>
  usesAccessToken && (kind === 'create' || kind === 'status');

/** A call, or the one on which all is tried. */
export type Tried = CallKind | 'lead';

export const kindOf = ({ role }: Facts, tried: Tried): CallKind => (tried === 'lead' ? leadCall[role].kind : tried);
