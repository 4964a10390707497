import { manage } from '../../api/manage';
import { useDeed } from '../../api/use-deed';
import type { PartnerRef } from '../../parts/use-partner-choice';
import type { Algorithm, CredentialKind, Slot } from './credential';

export interface RotateCommand {
  readonly credential: CredentialKind;
  readonly slot?: 'current' | 'next';
  readonly value?: string;
  readonly algorithm?: Exclude<Algorithm, 'HMAC'>;
  readonly previous_valid_for_s?: number;
}

/** What a partner's record says after a change; a secret key that was made is in it, this once. */
export interface Changed {
  readonly secret_key?: string;
  readonly warnings?: readonly { readonly path: string; readonly cause: string; readonly message: string }[];
  readonly credentials: Readonly<
    Partial<Record<CredentialKind, Readonly<Partial<Record<Slot, { readonly fingerprint: string; readonly public_key?: string }>>>>>
  >;
}

const reads = ({ path }: PartnerRef) => ({ touches: [path], tells: false });

export const useRotate = (partner: PartnerRef) =>
  useDeed((body: RotateCommand) => manage<Changed>('POST', `${partner.path}/rotate`, { body }), reads(partner));

export const usePromote = (partner: PartnerRef) =>
  useDeed(
    (body: { credential: CredentialKind; previous_valid_for_s: number }) => manage<Changed>('POST', `${partner.path}/promote`, { body }),
    { ...reads(partner), done: 'Promoted: it is the current value now' },
  );

export const useRetire = (partner: PartnerRef) =>
  useDeed((body: { credential: CredentialKind; which: Slot }) => manage<Changed>('POST', `${partner.path}/revoke`, { body }), {
    ...reads(partner),
    done: 'Retired: it is accepted no more',
  });

/** A text to sign, and when it ends. */
export interface Challenge {
  readonly challenge: string;
  readonly expires_at: string;
  readonly fingerprint: string;
  readonly algorithm: Algorithm;
  readonly hash: string;
}

export const useChallenge = (partner: PartnerRef) =>
  useDeed(
    (body: { credential: CredentialKind; slot: 'current' | 'next' }) => manage<Challenge>('POST', `${partner.path}/challenge`, { body }),
    { tells: false },
  );

export const useProve = (partner: PartnerRef) =>
  useDeed(
    (body: { credential: CredentialKind; slot: 'current' | 'next'; challenge: string; signature: string }) =>
      manage<Changed>('POST', `${partner.path}/prove`, { body }),
    { ...reads(partner), done: 'Proved: the private key is where it should be' },
  );

/** What the platform signed with its key. */
export interface Sample {
  readonly text: string;
  readonly signature: string;
  readonly public_key: string;
  readonly fingerprint: string;
}

export const useSample = (partner: PartnerRef) =>
  useDeed((body: { slot: 'current' | 'next' }) => manage<Sample>('POST', `${partner.path}/sample`, { body }), { tells: false });

/** Writes the signature settings. */
export const useSignatureChange = (partner: PartnerRef) =>
  useDeed((signature: object) => manage<Changed>('PATCH', partner.path, { body: { signature } }), reads(partner));
