import { ContainerModule } from 'inversify';
import { setTimeout as pause } from 'node:timers/promises';
import { RecordTransactions } from '../../domain/analytics/record-transactions';
import { ExplainSignature } from '../../domain/credentials/explain/explain-signature';
import { KeepRefusedRequest } from '../../domain/credentials/explain/keep-refused-request';
import { AdmitCall } from '../../domain/credentials/admit-call';
import { readUser } from '../../adapters/in/http/api/read-user';
import { longWork } from '../../adapters/json/turns';
import { OpenEvidence } from '../../domain/evidence/open-evidence';
import { RelayEvent } from '../../domain/events/relay-event';
import { SharedTasks } from '../../domain/shared/tasks/share-task';
import { CompleteOrder } from '../../domain/payments/complete-order';
import { CreateOrderPayment } from '../../domain/payments/create-order-payment';
import { GetPaymentStatus } from '../../domain/payments/get-payment-status';
import { AuthorizeUser } from '../../domain/sso/authorize-user';
import { CallAsStoredUser } from '../../domain/sso/call-as-stored-user';
import { ChangeConsent, ReadConsent } from '../../domain/sso/change-consent';
import { ConnectUser } from '../../domain/sso/connect-user';
import { SignOnFailures } from '../../domain/sso/sign-on-failures';
import { LoginWithPayload } from '../../domain/sso/login-with-payload';
import { provide } from '../tokens/token';
import { T } from '../tokens/tokens';

/** The use cases of partners' calls, each with its ports. */
export const useCases = new ContainerModule(({ bind }) => {
  provide(
    bind,
    T.sharedTasks,
    { store: T.sharedTaskStore, clock: T.clock },
    (deps) => new SharedTasks({ ...deps, pause: (ms) => pause(ms) }),
  );
  provide(
    bind,
    T.admitCall,
    { directory: T.directory, tools: T.checkTools, callers: T.callerRepository, dryRuns: T.dryRunRepository, clock: T.clock },
    (deps) => new AdmitCall(deps),
  );
  provide(bind, T.keepRefused, { directory: T.directory, refused: T.refusedRequests, log: T.log }, (deps) => new KeepRefusedRequest(deps));
  provide(
    bind,
    T.explainSignature,
    {
      ...{ directory: T.directory, hostApps: T.hostApps, miniapps: T.miniapps },
      ...{ explainer: T.caseExplainer, settings: T.settings },
    },
    ({ settings: { publicBaseUrl, signatureWindowS: windowS }, ...deps }) => new ExplainSignature({ ...deps, publicBaseUrl, windowS }),
  );
  provide(
    bind,
    T.connectUser,
    { users: T.users, consents: T.consents, miniapp: T.miniappSignOn, slots: T.partnerSlots, clock: T.clock },
    (deps) => new ConnectUser(deps),
  );
  provide(bind, T.signOnFailures, { limiter: T.limiter, clock: T.clock }, (deps) => new SignOnFailures(deps));
  provide(
    bind,
    T.authorizeUser,
    {
      ...{ users: T.users, consents: T.consents, hostApp: T.hostAppSignOn, miniapp: T.miniappSignOn },
      ...{ slots: T.partnerSlots, refreshes: T.refreshRepository, sharedTasks: T.sharedTasks, failures: T.signOnFailures, clock: T.clock },
    },
    (deps) => new AuthorizeUser(deps),
  );
  provide(
    bind,
    T.loginWithPayload,
    {
      ...{ cipher: T.payloadCipher, secrets: T.secretGenerator, failures: T.signOnFailures, connectUser: T.connectUser },
      ...{ miniapp: T.miniappLogin, clock: T.clock, log: T.log },
    },
    (deps) => new LoginWithPayload({ ...deps, readUser, longWork }),
  );
  provide(
    bind,
    T.relayEvent,
    { gateway: T.eventGateway, outbox: T.eventOutbox, notifier: T.deliveryNotifier, ids: T.ids, clock: T.clock },
    (deps) => new RelayEvent(deps),
  );
  provide(bind, T.readConsent, { consents: T.consents }, (deps) => new ReadConsent(deps));
  provide(
    bind,
    T.recordTransactions,
    { repository: T.transactionRepository, ids: T.ids, clock: T.clock },
    (deps) => new RecordTransactions(deps),
  );
  provide(bind, T.changeConsent, { consents: T.consents, clock: T.clock }, (deps) => new ChangeConsent(deps));
  provide(
    bind,
    T.createOrderPayment,
    {
      ...{ payments: T.orderPayments, hostApp: T.hostAppPayments, users: T.callAsStoredUser, slots: T.partnerSlots },
      ...{ notifier: T.deliveryNotifier, ids: T.ids, clock: T.clock, timesMs: T.pollTimesMs },
    },
    (deps) => new CreateOrderPayment({ ...deps, pause: (ms) => pause(ms) }),
  );
  provide(
    bind,
    T.getPaymentStatus,
    { payments: T.orderPayments, hostApp: T.hostAppPayments, users: T.callAsStoredUser, clock: T.clock },
    (deps) => new GetPaymentStatus(deps),
  );
  provide(
    bind,
    T.callAsStoredUser,
    { tokens: T.userTokens, users: T.users, hostApp: T.hostAppSignOn, refreshes: T.refreshRepository, clock: T.clock },
    (deps) => new CallAsStoredUser({ ...deps, pause: (ms) => pause(ms) }),
  );
  provide(
    bind,
    T.completeOrder,
    { payments: T.orderPayments, dispatch: T.deliveryDispatch, notifier: T.deliveryNotifier, clock: T.clock },
    (deps) => new CompleteOrder(deps),
  );
  provide(bind, T.openEvidence, { links: T.evidenceLinks, clock: T.clock }, (deps) => new OpenEvidence(deps));
});
