import { hash } from 'node:crypto';

const algorithm = 'sha256';
/** Bytes, of SHA-256. */
const blockLength = 64;
const digestLength = 32;
/** Bytes of text that need no room made for them. */
const usualLength = 4096;
const [innerPad, outerPad] = [0x36, 0x5c];

/**
 * HMAC-SHA-256 (RFC 2104) under one key: two hashes, each one call of the library's. Its object for this is made anew for every
 * digest, which takes as long again as the digest.
 */
export class KeyedDigest {
  private readonly inner: Buffer;
  private readonly outer: Buffer;

  constructor(key: Uint8Array) {
    const block = Buffer.alloc(blockLength);
    block.set(key.length > blockLength ? hash(algorithm, key, 'buffer') : key);
    this.inner = Buffer.concat([block.map((byte) => byte ^ innerPad), Buffer.alloc(usualLength)]);
    this.outer = Buffer.concat([block.map((byte) => byte ^ outerPad), Buffer.alloc(digestLength)]);
  }

  /** 64 lower-case hexadecimal digits, of the text in UTF-8. */
  hex(text: string): string {
    this.outer.write(hash(algorithm, this.padded(text), 'hex'), blockLength, 'hex');
    return hash(algorithm, this.outer, 'hex');
  }

  private padded(text: string): Buffer {
    // A unit of UTF-16 is three bytes of UTF-8 at most.
    if (text.length * 3 > usualLength) return Buffer.concat([this.inner.subarray(0, blockLength), Buffer.from(text, 'utf8')]);
    return this.inner.subarray(0, blockLength + this.inner.write(text, blockLength, 'utf8'));
  }
}
