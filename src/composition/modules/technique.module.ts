import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { DatabaseClock } from '../../adapters/out/postgres/clock/database-clock';
import { WorkerExplainer } from '../../adapters/out/signing/explaining/worker-explainer';
import { NodePublicKeyReader } from '../../adapters/out/signing/public-key-reader';
import { NodeKeyPairGenerator } from '../../adapters/out/signing/key-pair-generator';
import { AesPayloadCipher } from '../../adapters/out/signing/payload-cipher';
import { NodeSecretDigestProvider } from '../../adapters/out/signing/secret-digest-provider';
import { TemplateSamples } from '../../adapters/out/signing/samples/template-samples';
import { nodeSignatureText } from '../../adapters/out/signing/signature-text';
import { signingProviders } from '../../adapters/out/signing/signing-providers';
import { NodeIpAddressMatcher } from '../../adapters/out/system/addresses';
import { RandomSecretGenerator } from '../../adapters/out/system/secret-generator';
import { TimeSortedIds } from '../../adapters/out/system/time-sorted-ids';
import { provide } from '../tokens/token';
import { T } from '../tokens/tokens';

/** The compiled worker file, because a thread needs it even when this file runs from source. */
const explainWorker =
  ['../..', '../../../dist/src']
    .map((top) => join(__dirname, top, 'adapters/out/signing/explaining/explain-worker.js'))
    .find((file) => existsSync(file)) ?? '';

/** Time, ids, randomness, digests, keys and addresses. */
export const technique = new ContainerModule(({ bind }) => {
  provide(bind, T.databaseClock, {}, () => new DatabaseClock());
  provide(bind, T.clock, { clock: T.databaseClock }, ({ clock }) => clock);
  provide(bind, T.ids, { clock: T.databaseClock }, ({ clock }) => new TimeSortedIds(clock));
  provide(bind, T.digest, {}, () => new NodeSecretDigestProvider());
  provide(bind, T.secretGenerator, {}, () => new RandomSecretGenerator());
  provide(bind, T.addresses, {}, () => new NodeIpAddressMatcher());
  provide(bind, T.publicKeyReader, {}, () => new NodePublicKeyReader());
  provide(bind, T.payloadCipher, {}, () => new AesPayloadCipher());
  provide(bind, T.keyPairGenerator, {}, () => new NodeKeyPairGenerator());
  provide(bind, T.signingProviders, {}, () => signingProviders);
  provide(bind, T.caseExplainer, { log: T.log }, ({ log }) => new WorkerExplainer({ workerFile: explainWorker, log }));
  provide(bind, T.signatureText, {}, () => nodeSignatureText);
  provide(bind, T.sampleGenerator, {}, () => new TemplateSamples());
});
