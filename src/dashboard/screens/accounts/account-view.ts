import type { Role } from '../../api/session';

/** An account in the manage API. */
export interface AccountView {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly client_id?: string;
  readonly app_id?: string;
  readonly has_password: boolean;
  readonly disabled: boolean;
  readonly created_at: string;
  readonly signed_in_at?: string;
}

/** A new one-time link. */
export interface LinkView {
  readonly purpose: 'sign-in' | 'invite' | 'reset';
  readonly url: string;
  readonly expires_at: string;
}

/** The partner that an account works for. */
export const appOf = ({ client_id: clientId, app_id: appId }: AccountView): string | undefined => clientId ?? appId;

export const stateOf = ({ disabled, has_password: hasPassword, signed_in_at: signedIn }: AccountView) => {
  if (disabled) return { tone: 'quiet', word: 'Disabled' } as const;
  if (!hasPassword && signedIn === undefined) return { tone: 'wait', word: 'Invited' } as const;
  return { tone: 'good', word: 'Active' } as const;
};
