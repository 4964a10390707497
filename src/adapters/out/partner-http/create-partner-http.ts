import { Axios } from 'axios';
import type { CredentialUses, SigningProvider } from '../../../domain/credentials/ports';
import type { SignRequest } from '../../../domain/credentials/sign-request';
import type { DeliveryDrafts } from '../../../domain/deliveries/delivery-drafts';
import type { DeliveryGateway } from '../../../domain/deliveries/ports';
import type { EventGateway } from '../../../domain/events/ports';
import type { Tracing } from '../../../domain/exchanges/tracing';
import type { RefreshLog } from '../../../domain/figures/refreshes';
import type { PartnerIsolation } from '../../../domain/isolation/partner-isolation';
import type { PartnerPlaces } from '../../../domain/isolation/places';
import type { HostApp } from '../../../domain/partners/host-app';
import type { Miniapp } from '../../../domain/partners/miniapp';
import type { HostAppPaymentGateway } from '../../../domain/payments/ports';
import type { Clock } from '../../../domain/shared/ports';
import type { SharedFlights } from '../../../domain/shared/share-flight';
import type { FlightBoard } from '../../../domain/shared/single-flight';
import type { HostAppSignOnGateway, MiniappLoginGateway, MiniappSignOnGateway } from '../../../domain/sso/ports';
import { ClientAccessTokens } from './client-access-tokens';
import { HttpDeliveryDrafts } from './http-delivery-drafts';
import { HttpDeliveryGateway } from './http-delivery-gateway';
import { HttpEventGateway } from './http-event-gateway';
import { HttpHostAppPaymentGateway } from './http-host-app-payment-gateway';
import { HttpHostAppSignOnGateway } from './http-host-app-sign-on-gateway';
import { HttpMiniappSignOnGateway } from './http-miniapp-sign-on-gateway';
import { PartnerAdmission } from './isolation/partner-admission';
import { PartnerConnections, type ConnectionOptions } from './partner-connections';
import { OutboundCredentials } from './outbound-credentials';
import type { OutboundGuard } from './outbound-guard';
import { PartnerHttpClient } from './partner-http-client';
import { PartnerSender, type HearLeg } from './partner-sender';
import { undiciAdapter, type PartnerAxios } from './undici-adapter';

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
  /** How the connections to a partner differ from all others; absent: none do. */
  readonly optionsOf?: ((partner: HostApp | Miniapp) => ConnectionOptions | undefined) | undefined;
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
  /** Makes every call: its interceptors see each request and answer. */
  readonly axios: PartnerAxios;
  /** Closes kept connections, and breaks off what still runs. */
  close(): void;
}

/** Builds the gateways on one instance of axios. */
export function createPartnerHttp(deps: PartnerHttpDeps): PartnerHttp {
  const { isolation, clock } = deps;
  const connections = new PartnerConnections(deps);
  const axios = new Axios({ adapter: undiciAdapter });
  const sender = new PartnerSender({ ...deps, axios, connections });
  const admission = isolation && new PartnerAdmission({ isolation, clock });
  const clientTokens = new ClientAccessTokens({ ...deps, sender, admission });
  const credentials = new OutboundCredentials({ ...deps, clientTokens });
  const client = new PartnerHttpClient({ ...deps, sender, credentials, admission });
  return {
    hostAppSignOn: new HttpHostAppSignOnGateway(client),
    miniappSignOn: new HttpMiniappSignOnGateway(client),
    hostAppPayments: new HttpHostAppPaymentGateway(client),
    deliveries: new HttpDeliveryGateway(client),
    deliveryDrafts: new HttpDeliveryDrafts(client),
    events: new HttpEventGateway(client),
    places: admission,
    credentials,
    axios,
    close: () => connections.destroy(),
  };
}
