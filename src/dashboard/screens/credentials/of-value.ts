import type { PartnerRef } from '../../parts/use-partner-choice';
import type { Credential, CredentialValue } from './credential';

export interface OfValue {
  readonly partner: PartnerRef;
  readonly credential: Credential;
  readonly value: CredentialValue;
}
