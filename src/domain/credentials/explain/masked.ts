import type { Credentials } from '../credential';

/** Hides secrets of one app, wherever a request has brought them: people put them into bodies and headers. */
export interface Mask {
  readonly text: (text: string) => string;
  /** As long as before, so that offsets stay. */
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
}

/** Shorter ones would hide half of the explanation, and are no secrets. */
const shortest = 6;
const star = 0x2a;

const encoder = new TextEncoder();

export function maskOf(credentials: Credentials): Mask {
  const secrets = Object.values(credentials)
    .flatMap((slots) => Object.values(slots).map(({ secret }) => secret.reveal()))
    // Sentences quote 80 characters at most.
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
