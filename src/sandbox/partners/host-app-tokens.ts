import { randomBytes } from 'node:crypto';
import { Recent } from './recent';
import { Refusal } from './refusal';
import type { SandboxUser } from './sandbox-users';

/** A user's token pair in the answer of the Access token URL. */
export interface UserTokenReply {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface Granted<Holder> {
  readonly holder: Holder;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Lifetimes of issued codes and tokens in seconds. */
export const lifetimes = { code: 300, access: 3600, clientToken: 600 } as const;

const fresh = (prefix: string): string => `${prefix}_${randomBytes(24).toString('base64url')}`;

/** The sandbox host app's authorization server: single-use codes and rotating tokens. */
export class HostAppTokens {
  private readonly codes = new Recent<Granted<SandboxUser>>();
  private readonly accessTokens = new Recent<Granted<SandboxUser>>();
  private readonly refreshTokens = new Recent<SandboxUser>();
  private readonly clientTokens = new Recent<Granted<'platform'>>();

  /** `now`: milliseconds since the epoch. */
  constructor(private readonly now: () => number) {}

  /** Issues a single-use auth code that is valid for `goodForS` seconds. */
  issueCode(user: SandboxUser, goodForS: number = lifetimes.code): string {
    const code = fresh('code');
    this.codes.set(code, { holder: user, until: this.now() + goodForS * 1000 });
    return code;
  }

  /** Throws INVALID_AUTH_CODE for an unknown or used code, EXPIRED_AUTH_CODE for an expired one. */
  exchange(code: string): UserTokenReply {
    const granted = this.codes.take(code);
    if (!granted) throw new Refusal(400, 'INVALID_AUTH_CODE', 'The auth code is not valid, or was used before');
    if (granted.until <= this.now()) throw new Refusal(400, 'EXPIRED_AUTH_CODE', 'The auth code has expired');
    return this.pairFor(granted.holder);
  }

  /** A refresh token works once; the answer contains the next one. Throws EXPIRED_ACCESS_TOKEN where it is not known. */
  refresh(refreshToken: string): UserTokenReply {
    const user = this.refreshTokens.take(refreshToken);
    if (!user) throw new Refusal(400, 'EXPIRED_ACCESS_TOKEN', 'The refresh token is not valid');
    return this.pairFor(user);
  }

  /** Throws a 401 for an unknown or expired token. */
  userOf(accessToken: string): SandboxUser {
    const granted = this.accessTokens.get(accessToken);
    if (!granted) throw new Refusal(401, 'INVALID_ACCESS_TOKEN', 'The access token is not valid');
    if (granted.until <= this.now()) throw new Refusal(401, 'EXPIRED_ACCESS_TOKEN', 'The access token has expired');
    return granted.holder;
  }

  /** Issues a client access token for the service itself (RFC 6749 §4.4). */
  issueClientToken(): { access_token: string; token_type: string; expires_in: number } {
    const token = fresh('client');
    this.clientTokens.set(token, { holder: 'platform', until: this.now() + lifetimes.clientToken * 1000 });
    return { access_token: token, token_type: 'Bearer', expires_in: lifetimes.clientToken };
  }

  isClientToken(token: string): boolean {
    const granted = this.clientTokens.get(token);
    return granted !== undefined && granted.until > this.now();
  }

  private pairFor(user: SandboxUser): UserTokenReply {
    const pair = { access_token: fresh('access'), refresh_token: fresh('refresh') };
    this.accessTokens.set(pair.access_token, { holder: user, until: this.now() + lifetimes.access * 1000 });
    this.refreshTokens.set(pair.refresh_token, user);
    return pair;
  }
}
