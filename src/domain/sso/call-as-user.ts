import { UserTokenRejected } from '../partners/partner-errors';
import type { Secret } from '../shared/secret';
import type { UserTokens } from './tokens';

/** A call with a user's token, and a function that refreshes the token. */
export interface UserCall<Result, Tokens extends UserTokens> {
  /** `attempt`: 1, or 2 after a refresh. Throws UserTokenRejected where the host app rejects the token. */
  readonly call: (accessToken: Secret, attempt: number) => Promise<Result>;
  readonly renew: (refused: Tokens) => Promise<UserTokens>;
}

/**
 * Calls the host app as a user; a rejected token leads to one refresh and one retry, never more (contract/authentication#retry-after-401).
 * Resolves to the result and the tokens that are valid now. Throws what `call` and `renew` throw.
 */
export async function callAsUser<Result, Tokens extends UserTokens>(
  tokens: Tokens,
  { call, renew }: UserCall<Result, Tokens>,
): Promise<{ result: Result; tokens: UserTokens }> {
  try {
    return { result: await call(tokens.accessToken, 1), tokens };
  } catch (error) {
    if (!(error instanceof UserTokenRejected)) throw error;
  }
  const renewed = await renew(tokens);
  return { result: await call(renewed.accessToken, 2), tokens: renewed };
}
