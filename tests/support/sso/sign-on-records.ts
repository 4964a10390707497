import type { JsonObject } from '../../../src/domain/shared/json';
import type { UserData } from '../../../src/domain/sso/user-data';

interface Issued {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
}

/** What a host app knows of sign-on: single-use codes, tokens, users. Behind the fake gateway and the stub alike. */
export class HostAppRecords {
  /** Every code that was brought, good or not. */
  readonly exchanged: string[] = [];
  refreshes = 0;
  lastAccessToken = '';
  private readonly codes = new Map<string, UserData>();
  private readonly byAccessToken = new Map<string, UserData>();
  private readonly byRefreshToken = new Map<string, UserData>();
  private issued = 0;
  private rejections = 0;
  private refreshable = true;

  /** `code` is good for one exchange, and for this user. */
  knows(code: string, user: UserData): void {
    this.codes.set(code, user);
  }

  /** The next `times` access tokens that are shown are not taken. */
  rejectTokens(times: number): void {
    this.rejections = times;
  }

  givesNoRefreshToken(): void {
    this.refreshable = false;
  }

  exchange(code: string): Issued | undefined {
    this.exchanged.push(code);
    const user = this.codes.get(code);
    this.codes.delete(code);
    return user && this.issue(user);
  }

  /** A refresh token is good once, as with reuse detection. */
  refresh(refreshToken: string): Issued | undefined {
    this.refreshes++;
    const user = this.byRefreshToken.get(refreshToken);
    this.byRefreshToken.delete(refreshToken);
    return user && this.issue(user);
  }

  user(accessToken: string): UserData | undefined {
    if (this.rejections > 0) {
      this.rejections--;
      return undefined;
    }
    return this.byAccessToken.get(accessToken);
  }

  private issue(user: UserData): Issued {
    const number = ++this.issued;
    const accessToken = `access-${String(number)}`;
    const refreshToken = this.refreshable ? `refresh-${String(number)}` : undefined;
    this.lastAccessToken = accessToken;
    this.byAccessToken.set(accessToken, user);
    if (refreshToken !== undefined) this.byRefreshToken.set(refreshToken, user);
    return { accessToken, refreshToken };
  }
}

interface Session {
  readonly token: string;
  readonly refreshToken: string | undefined;
}

/** What a miniapp knows of sign-on: who was sent to it, and the sessions it gave. */
export class MiniappRecords {
  readonly receivedUsers: UserData[] = [];
  readonly loggedIn: JsonObject[] = [];
  private refreshable = true;

  givesNoRefreshToken(): void {
    this.refreshable = false;
  }

  open(user: UserData): Session {
    this.receivedUsers.push(user);
    return this.session();
  }

  /** A session for facts that name no reference. */
  logIn(claims: JsonObject): Session {
    this.loggedIn.push(claims);
    return this.session();
  }

  private session(): Session {
    const number = String(this.receivedUsers.length + this.loggedIn.length);
    return { token: `session-${number}`, refreshToken: this.refreshable ? `session-refresh-${number}` : undefined };
  }
}
