import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integrations/integration';
import { InvalidInput, refusal } from '../shared/errors';
import type { CallAsStoredUser } from '../sso/call-as-stored-user';
import type { PayingUser } from './ports';

/**
 * The user whose access token payment calls to the host app need: the order's user, where the host app requires one. `undefined`: calls
 * are made as the platform itself. Throws HOSTAPP_USER_ID_REQUIRED (contract/payments#payments-of-a-user).
 */
export function payingReference({ hostApp }: Integration, reference: string | undefined): string | undefined {
  if (!hostApp.settings.useAccessToken) return undefined;
  const path = 'order.hostapp_user_id';
  if (!reference) {
    const fields = [{ path, rule: 'required' }];
    throw refusal('invalid', 'HOSTAPP_USER_ID_REQUIRED', { side: 'miniapp', setting: 'use_access_token', fields });
  }
  // The reference is sent as a header, which cannot carry other characters unchanged.
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(reference))
    throw new InvalidInput([{ path, rule: 'must be printable ASCII' }], 'INVALID_ORDER_DATA');
  return reference;
}

/** The integration and user of a call. */
export interface UserCallFrame {
  readonly relay: Relay;
  readonly integration: Integration;
  /** The result of `payingReference`. */
  readonly reference: string | undefined;
}

/**
 * Makes a call with the user's stored token, with one refresh and one retry if the host app rejects it; without a user, as the platform
 * itself.
 */
export function callForUser<R>(
  users: Pick<CallAsStoredUser, 'execute'>,
  { relay, integration, reference }: UserCallFrame,
  call: (user: PayingUser | undefined) => Promise<R>,
): Promise<R> {
  if (reference === undefined) return call(undefined);
  return users.execute({ relay, integration, reference }, (accessToken, attempt) => call({ reference, accessToken, attempt }));
}
