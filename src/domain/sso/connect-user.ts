import type { Relay } from '../exchanges/exchange';
import { withPlaces, type PartnerPlaces } from '../isolation/places';
import type { Integration } from '../partners/integration';
import type { Clock } from '../shared/ports';
import type { ConsentLedger, MiniappSignOnGateway, UserRepository } from './ports';
import { consentBySignOn, requireConsent } from './require-consent';
import type { TokenPair } from './tokens';
import { requireUserFields, type UserData } from './user-data';

export interface ConnectUserCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly user: UserData;
  /** The call that signs the user on, for the consent ledger; `connect`. */
  readonly call?: string;
}

/**
 * The host app tells who its user is, the miniapp opens a session for them (contract/sign-on#connect). The user is stored while the miniapp
 * is asked, and before any answer (ADR 043). Throws INVALID_USER_DATA, CONSENT_REQUIRED, what the repository throws
 * where the user cannot be stored, whatever the miniapp says then, PartnerBusy
 * before anything is stored or sent, and the partner-* kinds.
 */
export class ConnectUser {
  constructor(
    private readonly deps: {
      users: UserRepository;
      consents: ConsentLedger;
      miniapp: MiniappSignOnGateway;
      /** Absent: calls to partners are not bounded. */
      places?: PartnerPlaces | undefined;
      clock: Clock;
    },
  ) {}

  async execute({ relay, integration, user, call = 'connect' }: ConnectUserCommand): Promise<TokenPair> {
    relay.trace.reference(user.reference);
    requireUserFields(user, integration.miniapp);
    await requireConsent(this.deps.consents, integration, user.reference);
    return withPlaces(this.deps.places, { relay, integration, legs: calledPartners }, (placed) =>
      this.signOn({ relay: placed, integration, user, call }),
    );
  }

  private async signOn({ relay, integration, user, call }: Required<ConnectUserCommand>): Promise<TokenPair> {
    const at = this.deps.clock.now();
    const consent = consentBySignOn(integration, relay, call);
    const stored = this.deps.users.store({ clientId: integration.hostApp.id, user, consent, at });
    const session = this.deps.miniapp.authToken(relay, integration, user);
    // Nothing of a call goes on after its answer.
    await Promise.allSettled([stored, session]);
    await stored;
    return session;
  }
}

const calledPartners = [{ side: 'miniapp', step: 'miniapp_token' }] as const;
