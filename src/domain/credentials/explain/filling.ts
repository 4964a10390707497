import type { SignatureHash } from '../signing/signature-settings';
import { signingString } from '../signing/signing-string';
import type { TemplatePart } from '../signing/signing-template';
import type { Deviation } from './cause';
import type { SignatureLab } from './ports';

/** A digest that was signed instead of the text. */
export interface Digested {
  readonly hash: SignatureHash;
  readonly as: 'raw' | 'hex' | 'HEX' | 'base64';
}

/** All values that determine the signed bytes. A sender can get each member wrong. */
export interface Filling {
  readonly parts: readonly TemplatePart[];
  readonly request_method: string;
  readonly url: string;
  readonly client_id: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly identity: string;
  readonly merchant_id: string;
  readonly payload: Uint8Array;
  readonly digested?: Digested;
}

export type SignedPart = keyof Filling;

/** Another value of one part, and the mistake that it would prove. */
export interface TextDeviation extends Deviation {
  readonly part: SignedPart;
  readonly fill: Partial<Filling>;
  /** Tried only without other mistakes, because there are too many of its kind. */
  readonly alone?: boolean;
}

const encoder = new TextEncoder();

/** The bytes that are signed for a filling. */
export function signedBytes(filling: Filling, lab: SignatureLab): Uint8Array {
  const { parts, digested, ...values } = filling;
  const text = signingString(parts, values);
  if (!digested) return text;
  const digest = lab.digest(digested.hash, text);
  if (digested.as === 'raw') return digest;
  if (digested.as === 'base64') return encoder.encode(base64Of(digest));
  const hex = hexOf(digest);
  return encoder.encode(digested.as === 'hex' ? hex : hex.toUpperCase());
}

export const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** RFC 4648 §4. */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const three = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let j = 0; j < 4; j++) text += i + j > bytes.length ? '=' : alphabet.charAt((three >> (18 - 6 * j)) & 63);
  }
  return text;
}
