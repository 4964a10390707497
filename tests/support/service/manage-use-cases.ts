import { Container } from 'inversify';
import { manageUseCases } from '../../../src/composition/modules/manage-use-cases.module';
import { resolve, type Resolved } from '../../../src/composition/tokens/token';
import { T } from '../../../src/composition/tokens/tokens';
import type { Settings } from '../../../src/config/settings';
import { samples } from '../signatures/sample-programs';

/** The container keys of the ports, by their names in the dependencies of the manage API. */
const portKeys = {
  ...{ hostApps: T.hostApps, miniapps: T.miniapps, integrations: T.integrations, limiter: T.limiter },
  ...{ exchanges: T.exchangeReader, figures: T.figures, mutes: T.mutes },
  ...{ evidenceLinks: T.evidenceLinks, evidenceSigner: T.evidenceSigner },
  ...{ probes: T.probes, probe: T.probe, proofs: T.proofs, live: T.live },
  ...{ erasure: T.userErasure, users: T.userRecordRepository },
  ...{ payments: T.paymentRecordRepository, deliveries: T.deliveryRepository, resends: T.resendRepository },
  ...{ queues: T.endpointQueueRepository, notifier: T.deliveryNotifier, refused: T.refusedRequests },
  ...{ explain: T.explainSignature, digest: T.digest, secrets: T.secretGenerator, keys: T.publicKeyReader },
  ...{ keyPairGenerator: T.keyPairGenerator, box: T.secretCipher, providers: T.signingProviders, signatureText: T.signatureText },
  ...{ clock: T.clock, ids: T.ids },
};

/** The use cases of the manage API as the service binds them, on these ports. Time cannot be advanced. */
export function useCasesOn(ports: Resolved<typeof portKeys>, publicBaseUrl: string) {
  const container = new Container({ defaultScope: 'Singleton' });
  for (const [name, key] of Object.entries(portKeys)) container.bind<unknown>(key).toConstantValue(ports[name as keyof typeof portKeys]);
  // The use cases read no other setting.
  container.bind(T.settings).toConstantValue({ publicBaseUrl } as Settings);
  container.bind(T.sampleGenerator).toConstantValue(samples);
  container.bind(T.timeShift).toConstantValue(undefined);
  container.load(manageUseCases);
  return {
    ...resolve(container, T.manageUseCases),
    hostAppUseCases: resolve(container, T.hostAppUseCases),
    miniappUseCases: resolve(container, T.miniappUseCases),
    intake: resolve(container, T.credentialIntake),
  };
}
