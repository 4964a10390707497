import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import type { PartnerRef } from '../../parts/use-partner-choice';
import type { Algorithm, CredentialKind, Slot } from './credential';

export interface RotateCommand {
  readonly credential: CredentialKind;
  readonly slot?: 'current' | 'next';
  readonly value?: string;
  readonly algorithm?: Exclude<Algorithm, 'HMAC'>;
  readonly previous_valid_for_s?: number;
}

/** A partner's record after a change. A generated secret key is in it only this once. */
export interface Changed {
  readonly secret_key?: string;
  readonly warnings?: readonly { readonly path: string; readonly cause: string; readonly message: string }[];
  readonly credentials: Readonly<
    Partial<Record<CredentialKind, Readonly<Partial<Record<Slot, { readonly fingerprint: string; readonly public_key?: string }>>>>>
  >;
}

const reads = ({ path }: PartnerRef) => ({ touches: [path], showsErrors: false });

export const useRotate = (partner: PartnerRef) =>
  useAction((body: RotateCommand) => manage<Changed>('POST', `${partner.path}/rotate`, { body }), reads(partner));

export const usePromote = (partner: PartnerRef) =>
  useAction(
    (body: { credential: CredentialKind; previous_valid_for_s: number }) => manage<Changed>('POST', `${partner.path}/promote`, { body }),
    { ...reads(partner), done: 'Promoted: it is the current value now' },
  );

export const useRetire = (partner: PartnerRef) =>
  useAction((body: { credential: CredentialKind; which: Slot }) => manage<Changed>('POST', `${partner.path}/revoke`, { body }), {
    ...reads(partner),
    done: 'Retired: it is accepted no more',
  });

/** A text to sign, and its expiry. */
export interface Challenge {
  readonly challenge: string;
  readonly expires_at: string;
  readonly fingerprint: string;
  readonly algorithm: Algorithm;
  readonly hash: string;
}

export const useChallenge = (partner: PartnerRef) =>
  useAction(
    (body: { credential: CredentialKind; slot: 'current' | 'next' }) => manage<Challenge>('POST', `${partner.path}/challenge`, { body }),
    { showsErrors: false },
  );

export const useProve = (partner: PartnerRef) =>
  useAction(
    (body: { credential: CredentialKind; slot: 'current' | 'next'; challenge: string; signature: string }) =>
      manage<Changed>('POST', `${partner.path}/prove`, { body }),
    { ...reads(partner), done: 'Proved: the private key is where it should be' },
  );

/** A text and the platform's signature of it. */
export interface Sample {
  readonly text: string;
  readonly signature: string;
  readonly public_key: string;
  readonly fingerprint: string;
}

export const useSample = (partner: PartnerRef) =>
  useAction((body: { slot: 'current' | 'next' }) => manage<Sample>('POST', `${partner.path}/sample`, { body }), { showsErrors: false });

/** Writes the signature settings. */
export const useSignatureChange = (partner: PartnerRef) =>
  useAction((signature: object) => manage<Changed>('PATCH', partner.path, { body: { signature } }), reads(partner));
