import type { PartnerRef } from '../../../parts/use-partner-choice';
import type { CredentialKind, PartnerSettings } from '../credential';
import type { Method } from '../methods';

/** The rotated credential, and its state so far. */
export interface Rotation {
  readonly partner: PartnerRef;
  readonly settings: PartnerSettings;
  readonly credential: CredentialKind;
  /** The method that replaces the current one. Absent when only the key changes. */
  readonly changesTo?: Exclude<Method, 'Basic'>;
  /** The new value, where the partner makes it and it is not stored yet. */
  readonly value: string;
  /** A generated secret, shown only this once. */
  readonly made?: string;
  readonly hasPresent: boolean;
  /** The slot of the dry run's new key. Absent without a dry run. */
  readonly dryRunKey?: 'current' | 'next';
}

export interface StepProps {
  readonly rotation: Rotation;
  readonly onDone: (changed?: Partial<Rotation>) => void;
}
