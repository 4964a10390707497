import type { PartnerRef } from '../../parts/use-partner-choice';
import type { Credential, CredentialValue } from './credential';

/** A value of a credential of a partner. */
export interface OfValue {
  readonly partner: PartnerRef;
  readonly credential: Credential;
  readonly value: CredentialValue;
}
