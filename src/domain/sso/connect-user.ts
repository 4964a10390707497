import type { Relay } from '../exchanges/exchange';
import { withSlots, type PartnerSlots } from '../isolation/partner-slots';
import type { Integration } from '../partners/integrations/integration';
import type { Clock } from '../shared/ports';
import type { ConsentRepository, MiniappSignOnGateway, UserRepository } from './ports';
import { consentBySignOn, requireConsent } from './require-consent';
import type { TokenPair } from './tokens';
import { requireUserFields, type UserData } from './user-data';

export interface ConnectUserCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly user: UserData;
  /** The name of the sign-on call in the consent records; default `connect`. */
  readonly call?: string;
}

/**
 * Signs a user on from the host app's user data: the miniapp opens a session (contract/sign-on#connect). The user is stored during the
 * call to the miniapp, and before any answer (ADR 043). Throws INVALID_USER_DATA, CONSENT_REQUIRED, the repository's error if the user
 * cannot be stored, whatever the miniapp answers, PartnerBusy before anything is stored or sent, and the partner-* kinds.
 */
export class ConnectUser {
  constructor(
    private readonly deps: {
      users: UserRepository;
      consents: ConsentRepository;
      miniapp: MiniappSignOnGateway;
      /** Absent: calls to partners are not limited. */
      slots?: PartnerSlots | undefined;
      clock: Clock;
    },
  ) {}

  async execute({ relay, integration, user, call = 'connect' }: ConnectUserCommand): Promise<TokenPair> {
    relay.trace.reference(user.reference);
    requireUserFields(user, integration.miniapp);
    await requireConsent(this.deps.consents, integration, user.reference);
    return withSlots(this.deps.slots, { relay, integration, legs: calledPartners }, (held) =>
      this.signOn({ relay: held, integration, user, call }),
    );
  }

  private async signOn({ relay, integration, user, call }: Required<ConnectUserCommand>): Promise<TokenPair> {
    const at = this.deps.clock.now();
    const consent = consentBySignOn(integration, relay, call);
    const stored = this.deps.users.store({ clientId: integration.hostApp.id, user, consent, at });
    const session = this.deps.miniapp.authToken(relay, integration, user);
    // Wait for both: no work of a call continues after its answer.
    await Promise.allSettled([stored, session]);
    await stored;
    return session;
  }
}

const calledPartners = [{ side: 'miniapp', step: 'miniapp_token' }] as const;
