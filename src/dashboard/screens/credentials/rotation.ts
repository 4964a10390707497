import type { PartnerRef } from '../../parts/use-partner-choice';
import type { CredentialKind, PartnerSettings } from './credential';
import type { Method } from './methods';

/** The rotated credential, and its state so far. */
export interface Rotation {
  readonly partner: PartnerRef;
  readonly settings: PartnerSettings;
  readonly credential: CredentialKind;
  /** The method that replaces another; absent: the same one goes on with a new key. */
  readonly changesTo?: Exclude<Method, 'Basic'>;
  /** The new value, where the partner makes it and it is not stored yet. */
  readonly value: string;
  /** A secret that was made, to be shown this once. */
  readonly made?: string;
  readonly hasPresent: boolean;
  /** Where the new key of settings that are tried stands; absent: none are. */
  readonly shadowKey?: 'current' | 'next';
}

export interface StepProps {
  readonly rotation: Rotation;
  readonly onDone: (changed?: Partial<Rotation>) => void;
}
