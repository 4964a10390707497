import { hash } from 'node:crypto';

/** Bytes of a block and of a digest (RFC 1321, FIPS 180-4 §1), by the names of OpenSSL. */
const lengths = {
  md5: { block: 64, digest: 16 },
  sha1: { block: 64, digest: 20 },
  sha224: { block: 64, digest: 28 },
  sha256: { block: 64, digest: 32 },
  sha384: { block: 128, digest: 48 },
  sha512: { block: 128, digest: 64 },
} as const;

export type HashName = keyof typeof lengths;

const [innerPad, outerPad] = [0x36, 0x5c];
/** Bytes of text that need no room made for them. */
const usualLength = 4096;
/** Where a text stands behind the padded key: of one digest at a time, whosever it is. */
const room = Buffer.alloc(lengths.sha512.block + usualLength);

/**
 * HMAC (RFC 2104) under one key: two hashes, each one call of the library's. Its object for this is made anew for every digest,
 * which takes as long again as the digest, and is collected as no plain object is.
 */
export class Hmac {
  private readonly inner: Buffer;
  private readonly outer: Buffer;

  constructor(
    private readonly name: HashName,
    key: Uint8Array,
  ) {
    const { block: length, digest } = lengths[name];
    const block = Buffer.alloc(length);
    block.set(key.length > length ? hash(name, key, 'buffer') : key);
    this.inner = Buffer.from(block.map((byte) => byte ^ innerPad));
    this.outer = Buffer.concat([block.map((byte) => byte ^ outerPad), Buffer.alloc(digest)]);
  }

  of(bytes: Uint8Array): Buffer {
    const digest = Buffer.allocUnsafe(lengths[this.name].digest);
    digest.write(hash(this.name, this.outerOf(this.padded(bytes)), 'binary'), 'binary');
    return digest;
  }

  /** In lower-case hexadecimal digits, of the text in UTF-8. */
  hex(text: string): string {
    return hash(this.name, this.outerOf(this.paddedText(text)), 'hex');
  }

  /** Text of a byte a character is the quickest way from one hash to the other. */
  private outerOf(padded: Buffer): Buffer {
    this.outer.write(hash(this.name, padded, 'binary'), this.inner.length, 'binary');
    return this.outer;
  }

  private padded(bytes: Uint8Array): Buffer {
    if (bytes.length > usualLength) return Buffer.concat([this.inner, bytes]);
    room.set(this.inner);
    room.set(bytes, this.inner.length);
    return room.subarray(0, this.inner.length + bytes.length);
  }

  private paddedText(text: string): Buffer {
    // A unit of UTF-16 is three bytes of UTF-8 at most.
    if (text.length * 3 > usualLength) return Buffer.concat([this.inner, Buffer.from(text, 'utf8')]);
    room.set(this.inner);
    return room.subarray(0, this.inner.length + room.write(text, this.inner.length, 'utf8'));
  }
}
