import type { Credentials } from '../credential';

/** Hides an app's secrets wherever a request contains them, because senders put them into bodies and headers. */
export interface Mask {
  readonly text: (text: string) => string;
  /** Keeps the length, so that offsets stay valid. */
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
}

/** Minimum length of a masked secret: shorter texts are no secrets, and would hide half of the explanation. */
const shortest = 6;
const star = 0x2a;

const encoder = new TextEncoder();

export function maskOf(credentials: Credentials): Mask {
  const secrets = Object.values(credentials)
    .flatMap((slots) => Object.values(slots).map(({ secret }) => secret.reveal()))
    // Sentences quote at most 80 characters, so the beginning of a longer secret is masked, too.
    .flatMap((secret) => [secret, secret.slice(0, 80)])
    .filter((secret) => secret.length >= shortest);
  return {
    text: (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '*'.repeat(secret.length)), text),
    bytes: (bytes) => secrets.map((secret) => encoder.encode(secret)).reduce(withStars, bytes),
  };
}

function withStars(bytes: Uint8Array, secret: Uint8Array): Uint8Array {
  const masked = bytes.slice();
  for (let at = 0; at + secret.length <= masked.length; at++) {
    if (masked[at] === secret[0] && secret.every((byte, i) => masked[at + i] === byte)) masked.fill(star, at, at + secret.length);
  }
  return masked;
}
