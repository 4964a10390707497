import { ContainerModule } from 'inversify';
import { NodeKeyImport } from '../adapters/out/signing/key-import';
import { NodeKeyMaker } from '../adapters/out/signing/key-maker';
import { AesPayloadCipher } from '../adapters/out/signing/payload-cipher';
import { NodeSecretDigest } from '../adapters/out/signing/secret-digest';
import { NodeSignatureLab } from '../adapters/out/signing/signature-lab';
import { nodeSignatureText } from '../adapters/out/signing/signature-text';
import { signingProviders } from '../adapters/out/signing/signing-providers';
import { IpAddressBook } from '../adapters/out/system/addresses';
import { RandomSecretSource } from '../adapters/out/system/secret-source';
import { SystemClock } from '../adapters/out/system/system-clock';
import { TimeSortedIds } from '../adapters/out/system/time-sorted-ids';
import { provide } from './token';
import { T } from './tokens';

/** Time, ids, randomness, digests, keys and addresses. */
export const technique = new ContainerModule(({ bind }) => {
  provide(bind, T.clock, {}, () => new SystemClock());
  provide(bind, T.ids, {}, () => new TimeSortedIds());
  provide(bind, T.digest, {}, () => new NodeSecretDigest());
  provide(bind, T.secretSource, {}, () => new RandomSecretSource());
  provide(bind, T.addresses, {}, () => new IpAddressBook());
  provide(bind, T.keyImport, {}, () => new NodeKeyImport());
  provide(bind, T.payloadCipher, {}, () => new AesPayloadCipher());
  provide(bind, T.keyMaker, {}, () => new NodeKeyMaker());
  provide(bind, T.signingProviders, {}, () => signingProviders);
  provide(bind, T.signatureLab, {}, () => new NodeSignatureLab());
  provide(bind, T.signatureText, {}, () => nodeSignatureText);
});
