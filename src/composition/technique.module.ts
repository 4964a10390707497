import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { DatabaseClock } from '../adapters/out/postgres/clock/database-clock';
import { WorkerExplainer } from '../adapters/out/signing/explaining/worker-explainer';
import { NodeKeyImport } from '../adapters/out/signing/key-import';
import { NodeKeyMaker } from '../adapters/out/signing/key-maker';
import { AesPayloadCipher } from '../adapters/out/signing/payload-cipher';
import { NodeSecretDigest } from '../adapters/out/signing/secret-digest';
import { nodeSignatureText } from '../adapters/out/signing/signature-text';
import { signingProviders } from '../adapters/out/signing/signing-providers';
import { IpAddressBook } from '../adapters/out/system/addresses';
import { RandomSecretSource } from '../adapters/out/system/secret-source';
import { TimeSortedIds } from '../adapters/out/system/time-sorted-ids';
import { provide } from './token';
import { T } from './tokens';

/** A thread runs what the build made, wherever this file runs from. */
const explainWorker =
  ['..', '../../dist/src']
    .map((top) => join(__dirname, top, 'adapters/out/signing/explaining/explain-worker.js'))
    .find((file) => existsSync(file)) ?? '';

/** Time, ids, randomness, digests, keys and addresses. */
export const technique = new ContainerModule(({ bind }) => {
  provide(bind, T.databaseClock, {}, () => new DatabaseClock());
  provide(bind, T.clock, { clock: T.databaseClock }, ({ clock }) => clock);
  provide(bind, T.ids, { clock: T.databaseClock }, ({ clock }) => new TimeSortedIds(clock));
  provide(bind, T.digest, {}, () => new NodeSecretDigest());
  provide(bind, T.secretSource, {}, () => new RandomSecretSource());
  provide(bind, T.addresses, {}, () => new IpAddressBook());
  provide(bind, T.keyImport, {}, () => new NodeKeyImport());
  provide(bind, T.payloadCipher, {}, () => new AesPayloadCipher());
  provide(bind, T.keyMaker, {}, () => new NodeKeyMaker());
  provide(bind, T.signingProviders, {}, () => signingProviders);
  provide(bind, T.caseExplainer, { log: T.log }, ({ log }) => new WorkerExplainer({ workerFile: explainWorker, log }));
  provide(bind, T.signatureText, {}, () => nodeSignatureText);
});
