import { signingProviders } from '../../src/adapters/out/signing/signing-providers';
import { nodeSignatureText } from '../../src/adapters/out/signing/signature-text';
import { RandomSecretSource } from '../../src/adapters/out/system/secret-source';
import type { CredentialUses } from '../../src/domain/credentials/ports';
import type { SignatureTools } from '../../src/domain/credentials/signature-check';
import { SignRequest } from '../../src/domain/credentials/sign-request';
import type { Clock } from '../../src/domain/shared/ports';

/** Nobody asks when a credential was used. */
export const noUses: CredentialUses = { used: () => undefined };

export const aSignRequest = (clock: Clock, uses: CredentialUses = noUses): SignRequest =>
  new SignRequest({ providers: signingProviders, signatureText: nodeSignatureText, secrets: new RandomSecretSource(), uses, clock });

/** What signatures are checked with, every nonce new. */
export const signatureTools: SignatureTools = {
  providers: signingProviders,
  signatureText: nodeSignatureText,
  nonces: { use: () => Promise.resolve(true) },
  uses: noUses,
  publicBaseUrl: 'https://platform.example',
  windowS: 300,
};
