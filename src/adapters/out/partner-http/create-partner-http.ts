import { Axios } from 'axios';
import type { CredentialUseLog, SigningProvider } from '../../../domain/credentials/ports';
import type { SignRequest } from '../../../domain/credentials/signing/sign-request';
import type { DeliveryDrafts } from '../../../domain/deliveries/delivery-drafts';
import type { DeliveryGateway } from '../../../domain/deliveries/ports';
import type { EventGateway } from '../../../domain/events/ports';
import type { Tracing } from '../../../domain/exchanges/tracing';
import type { RefreshLog } from '../../../domain/figures/refreshes';
import type { PartnerIsolation } from '../../../domain/isolation/partner-isolation';
import type { PartnerSlots } from '../../../domain/isolation/partner-slots';
import type { HostApp } from '../../../domain/partners/host-app';
import type { Miniapp } from '../../../domain/partners/miniapp';
import type { HostAppPaymentGateway } from '../../../domain/payments/ports';
import type { Clock } from '../../../domain/shared/ports';
import type { SharedTasks } from '../../../domain/shared/tasks/share-task';
import type { SharedTaskStore } from '../../../domain/shared/tasks/single-flight';
import type { HostAppSignOnGateway, MiniappLoginGateway, MiniappSignOnGateway } from '../../../domain/sso/ports';
import { ClientAccessTokens } from './sso/client-access-tokens';
import { HttpDeliveryDrafts } from './deliveries/http-delivery-drafts';
import { HttpDeliveryGateway } from './deliveries/http-delivery-gateway';
import { HttpEventGateway } from './events/http-event-gateway';
import { HttpHostAppPaymentGateway } from './payments/http-host-app-payment-gateway';
import { HttpHostAppSignOnGateway } from './sso/http-host-app-sign-on-gateway';
import { HttpMiniappSignOnGateway } from './sso/http-miniapp-sign-on-gateway';
import { PartnerAdmission } from './isolation/partner-admission';
import { PartnerConnections, type ConnectionOptions } from './partner-connections';
import { OutboundCredentials } from './outbound-credentials';
import type { OutboundGuard } from './outbound-guard';
import { PartnerHttpClient } from './partner-http-client';
import { PartnerSender, type LegListener } from './partner-sender';
import { undiciAdapter, type PartnerAxios } from './undici-adapter';

/** The dependencies of calls to partners. */
export interface PartnerHttpDeps {
  readonly guard: OutboundGuard;
  readonly clock: Clock;
  readonly sharedTasks: SharedTasks;
  readonly store: SharedTaskStore;
  readonly connectTimeoutMs: number;
  readonly signRequest: SignRequest;
  readonly hmac: SigningProvider;
  readonly uses: CredentialUseLog;
  readonly refreshes: RefreshLog;
  /** Bulkheads and circuits of this process. Absent: calls are not limited. */
  readonly isolation?: PartnerIsolation | undefined;
  /** Connection options of a partner. Absent: no partner has any. */
  readonly optionsOf?: ((partner: HostApp | Miniapp) => ConnectionOptions | undefined) | undefined;
  /** Called for every request that has ended. */
  readonly onLeg?: LegListener | undefined;
  /** Absent: tracing is off. */
  readonly tracing?: Tracing | undefined;
}

/** The gateways to partners over HTTP, all on one client. */
export interface PartnerHttp {
  readonly hostAppSignOn: HostAppSignOnGateway;
  readonly miniappSignOn: MiniappSignOnGateway & MiniappLoginGateway;
  readonly hostAppPayments: HostAppPaymentGateway;
  readonly deliveries: DeliveryGateway;
  readonly deliveryDrafts: DeliveryDrafts;
  readonly events: EventGateway;
  /** For use cases that call several partners. Absent when calls are not limited. */
  readonly slots: PartnerSlots | undefined;
  /** The credentials of all calls. */
  readonly credentials: OutboundCredentials;
  /** Makes every call; its interceptors see each request and answer. */
  readonly axios: PartnerAxios;
  /** Closes idle connections and aborts running requests. */
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
    slots: admission,
    credentials,
    axios,
    close: () => connections.destroy(),
  };
}
