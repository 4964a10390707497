import type { CallTime } from '../exchanges/call-time';
import type { Relay } from '../exchanges/exchange';
import type { RefreshLog, RefreshOutcome } from '../figures/refreshes';
import type { Integration } from '../partners/integrations/integration';
import { DomainError, refusal } from '../shared/errors';
import { packFailure, unpackFailure } from '../shared/tasks/shared-task-failure';
import type { Clock } from '../shared/ports';
import type { Secret } from '../shared/secret';
import { callAsUser } from './call-as-user';
import type { HostAppSignOnGateway, StoredTokens, UserRepository, UserTokenStore } from './ports';
import type { UserKey } from './user-data';
import { refreshTokens } from './refresh-tokens';
import type { UserTokens } from './tokens';

/** A call and the user whose stored tokens it uses. */
export interface StoredUser {
  readonly relay: Relay;
  readonly integration: Integration;
  /** The user's reference at the host app. */
  readonly reference: string;
}

interface Renewal {
  readonly renewed: Promise<UserTokens>;
  readonly time: CallTime | undefined;
}

type Deps = {
  tokens: UserTokenStore;
  users: Pick<UserRepository, 'find'>;
  hostApp: Pick<HostAppSignOnGateway, 'refresh'>;
  refreshes: RefreshLog;
  clock: Clock;
  pause: (ms: number) => Promise<void>;
};

/** Milliseconds added to the call's deadline for the lease, so that a running refresh never loses its claim. */
const leaseReserveMs = 5_000;
/**
 * First and maximum wait between polls of another call's refresh, in milliseconds. Starts short, as most host apps answer within 100 ms.
 */
const firstPauseMs = 5;
const longestPauseMs = 100;

/**
 * Calls the host app with a user's stored token (contract/authentication#retry-after-401). A rejected token is refreshed once, however
 * many calls of the user meet that at once, on any number of instances: one call claims the refresh, the others wait for it. Each then
 * repeats its own call once, after the new tokens have been stored. Calls that began before a refresh failed share the failure; a call
 * that begins later may try again, as a refused refresh token has not been used.
 *
 * A refresh token is not sent a second time, with one exception: the outcome of a refresh is unknown if its process died or its answer did
 * not arrive. When its lease has expired, the next call tries again. A host app that had accepted the first try refuses the second; the
 * user then signs on again, which would be needed without the second try as well.
 */
export class CallAsStoredUser {
  private readonly running = new Map<string, Renewal>();

  constructor(private readonly deps: Deps) {}

  /**
   * `call` throws UserTokenRejected where the host app rejects the token; `attempt`: 1, or 2 after a refresh. Throws
   * HOSTAPP_USER_NOT_FOUND for a user who has never signed on, EXPIRED_ACCESS_TOKEN (cause `no-token`) for one without tokens, what `call`
   * throws, and the failures of a refresh: its own code, else EXPIRED_ACCESS_TOKEN, or UNEXPECTED_RESPONSE_ERROR, at step `refresh`.
   */
  async execute<Result>(user: StoredUser, call: (accessToken: Secret, attempt: number) => Promise<Result>): Promise<Result> {
    const stored = await this.deps.tokens.find(keyOf(user));
    if (!stored) throw await this.withoutTokens(user);
    const { result } = await callAsUser(stored, { call, renew: (refused) => this.renewInProcess(user, refused) });
    return result;
  }

  /** The error for a user without tokens, such as one known only by connect. Source: contract/authentication#retry-after-401. */
  private async withoutTokens(user: StoredUser): Promise<DomainError> {
    const { clientId, reference } = keyOf(user);
    const isKnown = (await this.deps.users.find(clientId, reference)) !== undefined;
    if (!isKnown) return refusal('invalid', 'HOSTAPP_USER_NOT_FOUND', { side: 'hostapp' });
    return refusal('invalid', 'EXPIRED_ACCESS_TOKEN', { side: 'hostapp', step: 'refresh', cause: 'no-token', retryable: false });
  }

  /** Shares one refresh among all calls of this process that need it. */
  private renewInProcess(user: StoredUser, refused: StoredTokens): Promise<UserTokens> {
    const { clientId, reference } = keyOf(user);
    const { time } = user.relay;
    const name = JSON.stringify([clientId, reference, refused.version]);
    const running = this.running.get(name);
    if (running) {
      this.reportRefresh(user, 'shared');
      return time && running.time ? time.follow(running.time, running.renewed) : running.renewed;
    }
    const renewed = this.renew(user, refused).finally(() => this.running.delete(name));
    this.running.set(name, { renewed, time });
    return renewed;
  }

  private async renew(user: StoredUser, refused: StoredTokens): Promise<UserTokens> {
    const { tokens, clock, pause } = this.deps;
    const { deadline, time } = user.relay;
    let given = refused;
    for (let wait = firstPauseMs; ;) {
      const leaseMs = Math.max(0, deadline - clock.now()) + leaseReserveMs;
      const found = await this.whileAway(user.relay, () => tokens.claimRefresh(keyOf(user), given, leaseMs));
      if (!found) throw await this.withoutTokens(user);
      if (found.state === 'failed') {
        this.reportRefresh(user, 'shared');
        throw unpackFailure(found.failure);
      }
      if (found.state === 'renewed') {
        if (found.tokens.accessToken.reveal() !== refused.accessToken.reveal()) {
          this.reportRefresh(user, 'shared');
          return found.tokens;
        }
        given = found.tokens;
      } else if (found.state === 'claimed') {
        const renewed = await this.refresh(user, found.lease, found.tokens);
        if (renewed) return renewed;
      } else {
        if (clock.now() >= deadline) throw tooLate();
        await (time ? time.besidePartner(() => pause(wait)) : pause(wait));
        wait = Math.min(wait * 2, longestPauseMs);
      }
    }
  }

  /** Refreshes and stores the tokens. Resolves to `undefined` when another refresh or sign-on has stored newer ones. */
  private async refresh(user: StoredUser, lease: string, old: StoredTokens): Promise<UserTokens | undefined> {
    const { relay, integration, reference } = user;
    const key = { clientId: integration.hostApp.id, reference };
    try {
      const renewed = await refreshTokens(old, {
        refresh: (refreshToken) => this.deps.hostApp.refresh(relay, integration, refreshToken),
        onOutcome: (outcome) => this.reportRefresh(user, outcome),
      });
      const isStored = await this.whileAway(relay, () => this.deps.tokens.renew(key, { lease, version: old.version }, renewed));
      return isStored ? renewed : undefined;
    } catch (error) {
      // If the failure cannot be stored either, the lease expires.
      await this.deps.tokens.failRefresh(key, lease, packFailure(error)).catch(() => undefined);
      throw error;
    }
  }

  private reportRefresh({ integration }: StoredUser, outcome: RefreshOutcome): void {
    this.deps.refreshes.refreshed({ clientId: integration.hostApp.id, token: 'user', outcome });
  }

  /**
   * Retries while the database is unavailable, until the deadline: many calls may wait for this one, and unstored new tokens would sign
   * the user out.
   */
  private async whileAway<T>({ deadline }: Relay, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const isAway = error instanceof DomainError && error.kind === 'unavailable';
        if (!isAway || this.deps.clock.now() >= deadline) throw error;
        await this.deps.pause(longestPauseMs);
      }
    }
  }
}

const keyOf = ({ integration, reference }: StoredUser): UserKey => ({ clientId: integration.hostApp.id, reference });

const tooLate = (): DomainError =>
  refusal('partner-unreachable', 'UNEXPECTED_RESPONSE_ERROR', { side: 'hostapp', step: 'refresh', cause: 'timeout', retryable: true });
