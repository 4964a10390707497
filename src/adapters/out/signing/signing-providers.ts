import type { SigningProviders } from '../../../domain/credentials/ports';
import { EcdsaProvider } from './ecdsa-provider';
import { HmacProvider } from './hmac-provider';
import { Rsa2Provider } from './rsa2-provider';

/** Every algorithm of contract/signatures#algorithms over node:crypto. */
export const signingProviders: SigningProviders = { HMAC: new HmacProvider(), RSA2: new Rsa2Provider(), ECDSA: new EcdsaProvider() };
