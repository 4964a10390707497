import type { CredentialUses, SigningProvider } from '../../../domain/credentials/ports';
import type { SignRequest } from '../../../domain/credentials/sign-request';
import type { DeliveryDrafts } from '../../../domain/deliveries/delivery-drafts';
import type { DeliveryGateway } from '../../../domain/deliveries/ports';
import type { EventGateway } from '../../../domain/events/ports';
import type { Tracing } from '../../../domain/exchanges/tracing';
import type { RefreshLog } from '../../../domain/figures/refreshes';
import type { PartnerIsolation } from '../../../domain/isolation/partner-isolation';
import type { PartnerPlaces } from '../../../domain/isolation/places';
import type { HostAppPaymentGateway } from '../../../domain/payments/ports';
import type { Clock } from '../../../domain/shared/ports';
import type { SharedFlights } from '../../../domain/shared/share-flight';
import type { FlightBoard } from '../../../domain/shared/single-flight';
import type { HostAppSignOnGateway, MiniappLoginGateway, MiniappSignOnGateway } from '../../../domain/sso/ports';
import { AxiosTransport } from './axios-transport';
import { ClientAccessTokens } from './client-access-tokens';
import { DirectTransport } from './direct-transport';
import { LegExchange, type HearLeg } from './exchange-leg';
import { HttpDeliveryDrafts } from './http-delivery-drafts';
import { HttpDeliveryGateway } from './http-delivery-gateway';
import { HttpEventGateway } from './http-event-gateway';
import { HttpHostAppPaymentGateway } from './http-host-app-payment-gateway';
import { HttpHostAppSignOnGateway } from './http-host-app-sign-on-gateway';
import { HttpMiniappSignOnGateway } from './http-miniapp-sign-on-gateway';
import { PartnerAdmission } from './isolation/partner-admission';
import { partnerConnections } from './partner-connections';
import { OutboundCredentials } from './outbound-credentials';
import type { OutboundGuard } from './outbound-guard';
import { PartnerHttpClient } from './partner-http-client';

/** What the way to partners is made of. */
export interface PartnerHttpDeps {
  readonly guard: OutboundGuard;
  readonly clock: Clock;
  readonly flights: SharedFlights;
  readonly board: FlightBoard;
  readonly connectTimeoutMs: number;
  readonly signRequest: SignRequest;
  readonly hmac: SigningProvider;
  readonly uses: CredentialUses;
  readonly refreshes: RefreshLog;
  /** Bulkheads and circuits of this process; absent: calls are not bounded. */
  readonly isolation?: PartnerIsolation | undefined;
  /** What sends: `direct` on the connections, or axios over the same; `direct`. */
  readonly client?: 'direct' | 'axios';
  /** Hears of every call that has ended. */
  readonly hear?: HearLeg | undefined;
  /** Absent: nothing is traced. */
  readonly tracing?: Tracing | undefined;
}

/** Partners over HTTP, all through one door. */
export interface PartnerHttp {
  readonly hostAppSignOn: HostAppSignOnGateway;
  readonly miniappSignOn: MiniappSignOnGateway & MiniappLoginGateway;
  readonly hostAppPayments: HostAppPaymentGateway;
  readonly deliveries: DeliveryGateway;
  readonly deliveryDrafts: DeliveryDrafts;
  readonly events: EventGateway;
  /** For use cases that call several partners; absent where calls are not bounded. */
  readonly places: PartnerPlaces | undefined;
  /** What proves the calls of all of them. */
  readonly credentials: OutboundCredentials;
  /** Closes kept connections, and breaks off what still runs. */
  close(): void;
}

/** Builds the gateways on one set of connections. */
export function createPartnerHttp(deps: PartnerHttpDeps): PartnerHttp {
  const {
    guard,
    clock,
    flights,
    board,
    connectTimeoutMs,
    signRequest,
    hmac,
    uses,
    refreshes,
    client: kind,
    hear,
    tracing,
    isolation,
  } = deps;
  const connections = partnerConnections(guard, connectTimeoutMs);
  const transport = new (kind === 'axios' ? AxiosTransport : DirectTransport)({ connections, clock });
  const exchange = new LegExchange({ transport, clock, hear, tracing });
  const admission = isolation && new PartnerAdmission({ isolation, clock });
  const clientTokens = new ClientAccessTokens({ exchange, guard, flights, board, clock, uses, refreshes, admission });
  const credentials = new OutboundCredentials({ clientTokens, signRequest, hmac, uses });
  const client = new PartnerHttpClient({ exchange, credentials, guard, admission });
  return {
    hostAppSignOn: new HttpHostAppSignOnGateway(client),
    miniappSignOn: new HttpMiniappSignOnGateway(client),
    hostAppPayments: new HttpHostAppPaymentGateway(client),
    deliveries: new HttpDeliveryGateway(client),
    deliveryDrafts: new HttpDeliveryDrafts(client),
    events: new HttpEventGateway(client),
    places: admission,
    credentials,
    close: () => {
      void connections.destroy();
    },
  };
}
