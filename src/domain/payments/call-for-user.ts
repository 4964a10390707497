import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integration';
import { InvalidInput, refusal } from '../shared/errors';
import type { CallAsStoredUser } from '../sso/call-as-stored-user';
import type { PayingUser } from './ports';

/**
 * The user of payment calls to the host app: of the order, where the host app wants the user's access token.
 * `undefined`: calls are made as the platform itself. Throws HOSTAPP_USER_ID_REQUIRED (contract/payments#payments-of-a-user).
 */
export function payingReference({ hostApp }: Integration, reference: string | undefined): string | undefined {
  if (!hostApp.settings.useAccessToken) return undefined;
  const path = 'order.hostapp_user_id';
  if (!reference) {
    const fields = [{ path, rule: 'required' }];
    throw refusal('invalid', 'HOSTAPP_USER_ID_REQUIRED', { side: 'miniapp', setting: 'use_access_token', fields });
  }
  // It goes out as a header, which carries no other text unchanged.
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(reference))
    throw new InvalidInput([{ path, rule: 'must be printable ASCII' }], 'INVALID_ORDER_DATA');
  return reference;
}

/** The integration and user that a call is made for. */
export interface UserCallFrame {
  readonly relay: Relay;
  readonly integration: Integration;
  /** As `payingReference` gave it. */
  readonly reference: string | undefined;
}

/** Makes a call with the user's stored token, with one refresh and one retry where it is not taken; or as the platform itself. */
export function callForUser<R>(
  users: Pick<CallAsStoredUser, 'execute'>,
  { relay, integration, reference }: UserCallFrame,
  call: (user: PayingUser | undefined) => Promise<R>,
): Promise<R> {
  if (reference === undefined) return call(undefined);
  return users.execute({ relay, integration, reference }, (accessToken, attempt) => call({ reference, accessToken, attempt }));
}
