import { json, type Behaviour } from '../../support/partners/stub-behaviours';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import type { Received } from '../../support/partners/stub-partner';

/**
 * Detects reuse: when a refresh token is shown that was exchanged before, what it was exchanged for is revoked, too. Issues client
 * access tokens, and takes the last one alone.
 */
export class StrictHostApp extends StubPayingHostApp {
  /** Refresh tokens in the order in which they were shown. */
  readonly shown: string[] = [];
  /** Client access tokens that were issued. */
  clientTokens = 0;
  /** Creations that came with one that was not the last. */
  stale = 0;
  private readonly refreshing = new Map<string, Behaviour>();
  /** By refresh token: the access token that it was exchanged for. */
  private readonly issued = new Map<string, string>();
  private expired = 0;

  constructor() {
    super();
    const refresh = this.usual('/refresh');
    this.on('/refresh', async (received, response) => {
      const token = refreshTokenIn(received);
      this.shown.push(token);
      const other = this.refreshing.get(token);
      if (other) return other(received, response);
      const issued = this.issued.get(token);
      if (issued !== undefined) this.payments.rejectToken(issued);
      await refresh(received, response);
      if (issued === undefined) this.issued.set(token, this.records.lastAccessToken);
    });
    this.on('/client-token', (received, response) =>
      json({ access_token: `client-${String(++this.clientTokens)}`, token_type: 'Bearer', expires_in: 3600 })(received, response),
    );
    const create = this.usual('/create');
    this.on('/client-create', (received, response) => this.asClient(create, received)(received, response));
  }

  /** How a refresh with this token is met; absent: as usual. */
  meets(refreshToken: string, behaviour?: Behaviour): void {
    if (behaviour) this.refreshing.set(refreshToken, behaviour);
    else this.refreshing.delete(refreshToken);
  }

  /** The client access token that is in use is good no more. */
  expireClientToken(): void {
    this.expired = this.clientTokens;
  }

  private asClient(create: Behaviour, received: Received): Behaviour {
    const number = Number(/^Bearer client-(\d+)$/.exec(received.headers.authorization ?? '')?.[1] ?? 0);
    if (number > this.expired) return create;
    this.stale++;
    return json({}, { status: 401 });
  }
}

/** The refresh token that a request shows. */
export const refreshTokenIn = ({ body }: Pick<Received, 'body'>): string =>
  (JSON.parse(body.toString('utf8')) as { refresh_token: string }).refresh_token;
