import { randomUUID } from 'node:crypto';
import { ContainerModule } from 'inversify';
import { CircuitWorker } from '../../adapters/in/worker/circuit-worker';
import { createPartnerHttp } from '../../adapters/out/partner-http/create-partner-http';
import { NameResolver } from '../../adapters/out/partner-http/names/name-resolver';
import { PostgresCircuitStore } from '../../adapters/out/postgres/isolation/postgres-circuit-store';
import { OutboundGuard } from '../../adapters/out/partner-http/outbound-guard';
import type { Leg } from '../../domain/exchanges/exchange';
import { PartnerIsolation } from '../../domain/isolation/partner-isolation';
import { ShareCircuits } from '../../domain/isolation/share-circuits';
import { SignRequest } from '../../domain/credentials/signing/sign-request';
import { provide } from '../tokens/token';
import { T } from '../tokens/tokens';

/** Calls to partners: the outbound guard and the gateways. */
export const partnerHttp = new ContainerModule(({ bind }) => {
  provide(bind, T.outboundGuard, { addresses: T.addresses, settings: T.settings }, ({ addresses, settings }) => {
    const rules = { allowHttp: settings.plainHttpToPartners, networks: settings.partnerNetworks };
    const { dnsServers: servers, connectTimeoutMs } = settings;
    // Less than the connect timeout, so that a slow lookup is reported as such.
    const names = new NameResolver({ servers, deadlineMs: Math.min(2_000, connectTimeoutMs * 0.7) });
    return new OutboundGuard({ addresses, rules, resolve: names.resolve });
  });
  provide(
    bind,
    T.signRequest,
    { providers: T.signingProviders, signatureText: T.signatureText, secrets: T.secretGenerator, uses: T.credentialUses, clock: T.clock },
    (deps) => new SignRequest(deps),
  );
  provide(bind, T.partnerIsolation, { settings: T.settings }, ({ settings: { partnerConcurrency: share } }) => {
    return new PartnerIsolation({ share, now: () => performance.now() });
  });
  provide(bind, T.shareCircuits, { db: T.db, isolation: T.partnerIsolation, log: T.log }, ({ db, ...deps }) => {
    return new ShareCircuits({ ...deps, store: new PostgresCircuitStore({ db, processId: randomUUID() }) });
  });
  provide(bind, T.circuitWorker, { share: T.shareCircuits, log: T.log }, (deps) => new CircuitWorker(deps));
  const needs = {
    ...{ guard: T.outboundGuard, clock: T.clock, sharedTasks: T.sharedTasks, store: T.sharedTaskStore, settings: T.settings },
    ...{ signRequest: T.signRequest, providers: T.signingProviders, uses: T.credentialUses, refreshes: T.refreshRepository },
    ...{ counts: T.callCounts, tracing: T.tracing, isolation: T.partnerIsolation },
  };
  provide(bind, T.partnerHttp, needs, ({ settings, providers, counts, ...deps }) => {
    const { connectTimeoutMs, metricsPort } = settings;
    const onLeg = metricsPort === 0 ? undefined : (leg: Leg): void => counts.leg(leg);
    return createPartnerHttp({ ...deps, hmac: providers.HMAC, connectTimeoutMs, onLeg });
  });
  provide(bind, T.partnerSlots, { http: T.partnerHttp }, ({ http }) => http.slots);
  provide(bind, T.hostAppSignOn, { http: T.partnerHttp }, ({ http }) => http.hostAppSignOn);
  provide(bind, T.hostAppPayments, { http: T.partnerHttp }, ({ http }) => http.hostAppPayments);
  provide(bind, T.miniappSignOn, { http: T.partnerHttp }, ({ http }) => http.miniappSignOn);
  provide(bind, T.miniappLogin, { http: T.partnerHttp }, ({ http }) => http.miniappSignOn);
  provide(bind, T.eventGateway, { http: T.partnerHttp }, ({ http }) => http.events);
});
