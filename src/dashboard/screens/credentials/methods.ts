import { IconFingerprint, IconKey, IconLock, IconShieldCheck, type Icon } from '@tabler/icons-react';
import type { CredentialKind } from './credential';

/** How a call is authenticated. */
export type Method = 'Basic' | 'HMAC' | 'RSA2' | 'ECDSA';

export interface MethodInfo {
  readonly method: Method;
  readonly icon: Icon;
  readonly title: string;
  readonly text: string;
}

export const methods: readonly MethodInfo[] = [
  {
    method: 'Basic',
    icon: IconLock,
    title: 'Basic',
    text: 'Id and secret key in a header. The simplest; the secret travels with each call.',
  },
  { method: 'HMAC', icon: IconFingerprint, title: 'HMAC', text: 'Each call is signed with a shared secret that never travels.' },
  {
    method: 'RSA2',
    icon: IconShieldCheck,
    title: 'RSA2',
    text: 'Each side signs with a private key of its own. Nothing secret is shared.',
  },
  { method: 'ECDSA', icon: IconKey, title: 'ECDSA', text: 'As RSA2, with shorter keys and faster signatures.' },
];

/** The credential that authenticates the partner's side. */
export const credentialOf = (method: Method): CredentialKind =>
  method === 'Basic' ? 'secret_key' : method === 'HMAC' ? 'hmac_secret' : 'partner_public_key';
