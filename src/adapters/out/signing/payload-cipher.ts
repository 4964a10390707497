import { createDecipheriv, type DecipherGCM } from 'node:crypto';
import type { OpenedPayload, PayloadCipher, SealedPayload } from '../../../domain/credentials/ports';
import type { Secret } from '../../../domain/shared/secret';
import { withoutTrailing } from '../../../domain/shared/without-ends';

const gcmMark = 'v2.';
const keyBytes = 32;
const blockBytes = 16;
const gcmIvBytes = 12;
const gcmTagBytes = 16;
const noKey = Buffer.alloc(keyBytes);

/**
 * Decrypts payloads of `partner/login` with node:crypto: AES-256-CBC with PKCS #7 padding (RFC 5652 §6.3), and AES-256-GCM (NIST SP
 * 800-38D).
 */
export class AesPayloadCipher implements PayloadCipher {
  open({ text: sent, clientId, appId, gcmOnly }: SealedPayload, secret: Secret): OpenedPayload {
    const text = withoutBreaks(sent);
    const decoded = Buffer.from(secret.reveal(), 'base64url');
    const usable = decoded.length === keyBytes;
    const key = usable ? decoded : noKey;
    const { plain, problem } = text.startsWith(gcmMark)
      ? openGcm(key, text.slice(gcmMark.length), `${clientId}.${appId}`)
      : openCbc(key, text, gcmOnly);
    return { plain, problem: usable ? problem : 'key' };
  }
}

function openCbc(key: Buffer, text: string, refused: boolean): OpenedPayload {
  const bytes = decode(text, anyAlphabet);
  const whole = bytes !== undefined && bytes.length >= 2 * blockBytes && bytes.length % blockBytes === 0;
  const work = whole ? bytes : standIn(text.length);
  const decipher = createDecipheriv('aes-256-cbc', key, work.subarray(0, blockBytes)).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(work.subarray(blockBytes)), decipher.final()]);
  const padding = paddingOf(padded);
  const plain = padded.subarray(0, padded.length - (padding ?? blockBytes));
  if (bytes === undefined) return { plain, problem: 'encoding' };
  if (!whole) return { plain, problem: 'length' };
  if (refused) return { plain, problem: 'cipher' };
  return { plain, problem: padding === undefined ? 'padding' : undefined };
}

/** The number of padding bytes; `undefined` for invalid padding. Always reads a whole block, so that the time reveals nothing. */
function paddingOf(padded: Buffer): number | undefined {
  const length = padded[padded.length - 1] ?? 0;
  let wrong = length < 1 || length > blockBytes ? 1 : 0;
  for (let i = 1; i <= blockBytes; i++) {
    const isPadding = i <= length ? 0xff : 0;
    wrong |= ((padded[padded.length - i] ?? 0) ^ length) & isPadding;
  }
  return wrong === 0 ? length : undefined;
}

function openGcm(key: Buffer, text: string, additionalData: string): OpenedPayload {
  const bytes = decode(text, urlSafe);
  const whole = bytes !== undefined && bytes.length >= gcmIvBytes + gcmTagBytes;
  const work = whole ? bytes : standIn(text.length);
  const tagAt = work.length - gcmTagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, work.subarray(0, gcmIvBytes), { authTagLength: gcmTagBytes });
  decipher.setAAD(Buffer.from(additionalData, 'utf8')).setAuthTag(work.subarray(tagAt));
  const unproven = decipher.update(work.subarray(gcmIvBytes, tagAt));
  const proven = verifies(decipher);
  // Unverified plaintext is replaced by zeros: not even its parsing may reveal anything about it.
  const plain = proven ? unproven : Buffer.alloc(unproven.length);
  if (bytes === undefined) return { plain, problem: 'encoding' };
  if (!whole) return { plain, problem: 'length' };
  return { plain, problem: proven ? undefined : 'tag' };
}

function verifies(decipher: DecipherGCM): boolean {
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes line breaks, which many base64 encoders insert (RFC 2045 §6.8), and blanks at both ends from copying. Source:
 * contract/sign-on#partner-login.
 */
const withoutBreaks = (text: string): string => text.replace(/[\r\n]/g, '').trim();

const anyAlphabet = /^(?:[A-Za-z0-9+/]*|[A-Za-z0-9_-]*)={0,2}$/;
const urlSafe = /^[A-Za-z0-9_-]*={0,2}$/;

/** Decodes strictly: one alphabet, complete or no padding, no stray bits. Node's own decoder accepts anything. */
function decode(text: string, form: RegExp): Buffer | undefined {
  if (!form.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const canonical = bytes.toString('base64url');
  const unpadded = withoutTrailing(text, '=');
  if (unpadded.replaceAll('+', '-').replaceAll('/', '_') !== canonical) return undefined;
  return unpadded.length === text.length || text.length % 4 === 0 ? bytes : undefined;
}

/** Substitute bytes for a text that cannot be decoded: about its decoded length, in whole blocks, so that the work takes as long. */
const standIn = (characters: number): Buffer => Buffer.alloc(Math.max(3, Math.floor((characters * 3) / 4 / blockBytes)) * blockBytes);
