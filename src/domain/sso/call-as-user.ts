import { EndpointNotSet, PartnerGarbled, PartnerRefused, UserTokenRejected } from '../partners/partner-errors';
import { catalogue } from '../shared/error-catalogue';
import type { Secret } from '../shared/secret';
import type { UserTokens } from './tokens';

/** How to call with a user's token, and how to get a new one. */
export interface UserCall<Result> {
  /** `attempt`: 1, or 2 after a refresh. Throws UserTokenRejected where the host app does not take the token. */
  readonly call: (accessToken: Secret, attempt: number) => Promise<Result>;
  readonly refresh: (refreshToken: Secret) => Promise<UserTokens>;
}

/**
 * Calls the host app as a user: where the token is not taken, one refresh and one retry, never more (contract, Retry after
 * 401: once). Resolves to the result and the tokens that are good now. Without a refresh token or URL, and after a refused
 * refresh, throws with the refresh's own code, else EXPIRED_ACCESS_TOKEN, at step `refresh` (decisions §3).
 */
export async function callAsUser<Result>(
  tokens: UserTokens,
  { call, refresh }: UserCall<Result>,
): Promise<{ result: Result; tokens: UserTokens }> {
  try {
    return { result: await call(tokens.accessToken, 1), tokens };
  } catch (error) {
    if (!(error instanceof UserTokenRejected)) throw error;
  }
  const renewed = await renew(tokens, refresh);
  return { result: await call(renewed.accessToken, 2), tokens: renewed };
}

async function renew({ refreshToken }: UserTokens, refresh: UserCall<unknown>['refresh']): Promise<UserTokens> {
  if (!refreshToken) throw signOnAgain();
  try {
    const renewed = await refresh(refreshToken);
    return { accessToken: renewed.accessToken, refreshToken: renewed.refreshToken ?? refreshToken };
  } catch (error) {
    if (error instanceof EndpointNotSet || (error instanceof PartnerGarbled && error.refusedByStatus)) throw signOnAgain();
    throw error;
  }
}

const signOnAgain = (): PartnerRefused =>
  new PartnerRefused({ side: 'hostapp', step: 'refresh' }, 'EXPIRED_ACCESS_TOKEN', catalogue.EXPIRED_ACCESS_TOKEN.meaning);
