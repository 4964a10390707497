import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What people paste where a public key should be, made with the OpenSSL, OpenSSH and GnuPG command lines; by what it is. */
export interface PastedKeys {
  readonly private: Readonly<Record<string, string>>;
  readonly usable: Readonly<Record<string, string>>;
  /** By the cause of the refusal. */
  readonly refused: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const pastedKeys = JSON.parse(readFileSync(join(__dirname, 'pasted-keys.json'), 'utf8')) as PastedKeys;

/** Every text that must be refused, with the cause that must be named. */
export const refusedKeys: readonly (readonly [cause: string, what: string, text: string])[] = [
  ...Object.entries(pastedKeys.private).map(([what, text]) => ['private-key', what, text] as const),
  ...Object.entries(pastedKeys.refused).flatMap(([cause, texts]) =>
    Object.entries(texts).map(([what, text]) => [cause, what, text] as const),
  ),
];
