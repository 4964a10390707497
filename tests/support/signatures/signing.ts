import { signingProviders } from '../../../src/adapters/out/signing/signing-providers';
import { nodeSignatureText } from '../../../src/adapters/out/signing/signature-text';
import { RandomSecretGenerator } from '../../../src/adapters/out/system/secret-generator';
import type { CredentialUseLog } from '../../../src/domain/credentials/ports';
import type { SignatureTools } from '../../../src/domain/credentials/signing/signature-check';
import { SignRequest } from '../../../src/domain/credentials/signing/sign-request';
import type { Clock } from '../../../src/domain/shared/ports';

/** Nobody asks when a credential was used. */
export const noUses: CredentialUseLog = { used: () => undefined };

export const aSignRequest = (clock: Clock, uses: CredentialUseLog = noUses): SignRequest =>
  new SignRequest({ providers: signingProviders, signatureText: nodeSignatureText, secrets: new RandomSecretGenerator(), uses, clock });

/** What signatures are checked with, every nonce new. */
export const signatureTools: SignatureTools = {
  providers: signingProviders,
  signatureText: nodeSignatureText,
  nonces: { use: () => Promise.resolve(true) },
  uses: noUses,
  publicBaseUrl: 'https://platform.example',
  windowS: 300,
};
