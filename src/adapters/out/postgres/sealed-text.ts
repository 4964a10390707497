import type { SecretBox } from '../../../domain/credentials/ports';

/** Seals text as UTF-8; nothing stays nothing. A buffer, as the driver takes other byte arrays for lists. */
export function sealText(box: SecretBox, text: string, place: string): Buffer;
export function sealText(box: SecretBox, text: string | undefined, place: string): Buffer | null;
export function sealText(box: SecretBox, text: string | undefined, place: string): Buffer | null {
  if (text === undefined) return null;
  const sealed = box.seal(Buffer.from(text, 'utf8'), place);
  return Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
}

/** Opens what `sealText` sealed. */
export function openText(box: SecretBox, sealed: Uint8Array, place: string): string {
  return Buffer.from(box.open(sealed, place)).toString('utf8');
}
