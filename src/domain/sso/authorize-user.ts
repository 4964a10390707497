import type { Relay } from '../exchanges/exchange';
import type { RefreshLog, RefreshOutcome } from '../figures/refreshes';
import { withSlots, type PartnerSlots } from '../isolation/partner-slots';
import type { Integration } from '../partners/integrations/integration';
import { InvalidInput } from '../shared/errors';
import type { Clock } from '../shared/ports';
import { Secret } from '../shared/secret';
import type { SharedTasks } from '../shared/tasks/share-task';
import { callAsUser } from './call-as-user';
import type { ConsentRepository, HostAppSignOnGateway, MiniappSignOnGateway, UserRepository } from './ports';
import { refreshTokens } from './refresh-tokens';
import { consentBySignOn, requireConsent } from './require-consent';
import { isRefusedSignOn, type SignOnCaller, type SignOnFailures } from './sign-on-failures';
import type { TokenPair, UserTokens } from './tokens';
import { requireUserFields, type UserData } from './user-data';

export interface AuthorizeUserCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly authCode: Secret;
  /** The reference of the code's user, as the caller states it. */
  readonly userReference?: string | undefined;
  /** The caller's address; the same code from another address is another call. */
  readonly address: string;
}

/** Milliseconds for which the same answer to a code is given again (contract/sign-on#authorize). */
const answerKeptMs = 60_000;
/** Milliseconds added to the call's deadline for the lease, so that a running code exchange never loses its claim. */
const leaseReserveMs = 5_000;

/**
 * Exchanges an auth code of the host app for a session at the miniapp (contract/sign-on#authorize). The code is exchanged exactly once
 * over all instances; equal calls within 60 s get the same answer. Throws INVALID_INPUT for another user's reference, INVALID_USER_DATA,
 * CONSENT_REQUIRED, PartnerBusy before the code is sent, the partner-* kinds, and RATE_LIMITED after too many refused codes.
 */
export class AuthorizeUser {
  constructor(
    private readonly deps: {
      users: UserRepository;
      consents: ConsentRepository;
      hostApp: HostAppSignOnGateway;
      miniapp: MiniappSignOnGateway;
      /** Absent: calls to partners are not limited. */
      slots?: PartnerSlots | undefined;
      refreshes: RefreshLog;
      sharedTasks: SharedTasks;
      failures: SignOnFailures;
      clock: Clock;
    },
  ) {}

  async execute(command: AuthorizeUserCommand): Promise<TokenPair> {
    const { relay, integration, authCode, userReference, address } = command;
    this.deps.failures.requireBudget(command);
    const key = JSON.stringify([integration.id, authCode.reveal(), userReference ?? null, address]);
    const leaseMs = Math.max(0, relay.deadline - this.deps.clock.now()) + leaseReserveMs;
    const limits = { leaseMs, deadline: relay.deadline, time: relay.time };
    const answer = await this.deps.sharedTasks.run({ purpose: 'auth-code', key }, limits, async () => ({
      value: packPair(await this.counted(command, () => this.signOnWithSlots(command))),
      ttlMs: answerKeptMs,
    }));
    return unpackPair(answer);
  }

  /** Counts a refused code or token, once for all calls that share the same exchange. */
  private async counted<Result>(caller: SignOnCaller, signOn: () => Promise<Result>): Promise<Result> {
    try {
      return await signOn();
    } catch (error) {
      if (isRefusedSignOn(error)) await this.deps.failures.failed(caller);
      throw error;
    }
  }

  /** Reserves a slot for every call before the code is sent, because a code can be used only once. */
  private signOnWithSlots(command: AuthorizeUserCommand): Promise<TokenPair> {
    const { relay, integration } = command;
    return withSlots(this.deps.slots, { relay, integration, legs: calledPartners }, (held) => this.signOn({ ...command, relay: held }));
  }

  private async signOn({ relay, integration, authCode, userReference }: AuthorizeUserCommand): Promise<TokenPair> {
    const { user, tokens } = await this.readUser(relay, integration, authCode);
    relay.trace.reference(user.reference);
    if (userReference !== undefined && userReference !== user.reference) {
      throw new InvalidInput([{ path: 'user_reference', rule: 'must be the reference of the user to whom the auth code belongs' }]);
    }
    requireUserFields(user, integration.miniapp);
    await requireConsent(this.deps.consents, integration, user.reference);
    const at = this.deps.clock.now();
    const consent = consentBySignOn(integration, relay, 'authorize');
    await this.deps.users.store({ clientId: integration.hostApp.id, user, consent, tokens, at });
    return this.deps.miniapp.authToken(relay, integration, user);
  }

  private async readUser(relay: Relay, integration: Integration, authCode: Secret): Promise<{ user: UserData; tokens: UserTokens }> {
    const { hostApp } = this.deps;
    const { id: clientId } = integration.hostApp;
    const onOutcome = (outcome: RefreshOutcome): void => this.deps.refreshes.refreshed({ clientId, token: 'user', outcome });
    const issued = await hostApp.exchangeCode(relay, integration, authCode);
    const { result, tokens } = await callAsUser(issued, {
      call: (accessToken, attempt) => hostApp.userData(relay, integration, accessToken, attempt),
      renew: (refused) =>
        refreshTokens(refused, { refresh: (refreshToken) => hostApp.refresh(relay, integration, refreshToken), onOutcome }),
    });
    return { user: result, tokens };
  }
}

const calledPartners = [
  { side: 'hostapp', step: 'exchange' },
  { side: 'hostapp', step: 'user_data' },
  { side: 'miniapp', step: 'miniapp_token' },
] as const;

const packPair = ({ token, refreshToken }: TokenPair): Secret => new Secret(JSON.stringify([token.reveal(), refreshToken.reveal()]));

function unpackPair(packed: Secret): TokenPair {
  const [token, refreshToken] = JSON.parse(packed.reveal()) as [string, string];
  return { token: new Secret(token), refreshToken: new Secret(refreshToken) };
}
