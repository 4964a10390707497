import type { Secret } from '../shared/secret';

/** A user's tokens at the host app. The refresh token is absent where the host app issues none. */
export interface UserTokens {
  readonly accessToken: Secret;
  readonly refreshToken?: Secret | undefined;
}

/** A session at the miniapp. `refreshToken` is empty where the miniapp issues none. */
export interface TokenPair {
  readonly token: Secret;
  readonly refreshToken: Secret;
}
