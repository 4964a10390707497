import type { SecretCipher } from '../../../../domain/credentials/ports';

/** Seals text as UTF-8; `undefined` becomes null. Returns a Buffer, because the driver treats other byte arrays as lists. */
export function sealText(box: SecretCipher, text: string, context: string): Buffer;
export function sealText(box: SecretCipher, text: string | undefined, context: string): Buffer | null;
export function sealText(box: SecretCipher, text: string | undefined, context: string): Buffer | null {
  if (text === undefined) return null;
  const sealed = box.seal(Buffer.from(text, 'utf8'), context);
  return Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
}

/** Decrypts text that `sealText` sealed. */
export function openText(box: SecretCipher, sealed: Uint8Array, context: string): string {
  return Buffer.from(box.open(sealed, context)).toString('utf8');
}
