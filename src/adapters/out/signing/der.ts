/** One DER element: its tag and its content. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

export const derTag = { integer: 0x02, bitString: 0x03, octetString: 0x04, null: 0x05, objectId: 0x06, sequence: 0x30 } as const;

/**
 * The sequence of elements in `bytes`; `undefined` for invalid DER. Supports only one-byte tags and definite, minimal lengths (X.690
 * §10.1).
 */
export function derElements(bytes: Buffer): readonly DerElement[] | undefined {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = lengthAt(bytes, at + 1);
    if (!length || length.end + length.value > bytes.length) return undefined;
    elements.push({ tag: bytes[at]!, content: bytes.subarray(length.end, length.end + length.value) });
    at = length.end + length.value;
  }
  return elements;
}

/** The content of the only element in `bytes`, if it has this tag. */
export function derContent(bytes: Buffer, tag: number): Buffer | undefined {
  const [element, ...others] = derElements(bytes) ?? [];
  return element?.tag === tag && others.length === 0 ? element.content : undefined;
}

function lengthAt(bytes: Buffer, at: number): { readonly value: number; readonly end: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first < 0x80) return { value: first, end: at + 1 };
  const size = first - 0x80;
  const end = at + 1 + size;
  if (size < 1 || size > 3 || end > bytes.length) return undefined;
  const value = bytes.readUIntBE(at + 1, size);
  return value < (size === 1 ? 0x80 : 2 ** (8 * (size - 1))) ? undefined : { value, end };
}

/** Reads a non-negative integer; `undefined` when it is negative or not minimally encoded. */
export function derNumber(content: Buffer): bigint | undefined {
  const [first = 0x80, second = 0] = content;
  const isPadded = content.length > 1 && first === 0 && second < 0x80;
  return first >= 0x80 || isPadded ? undefined : BigInt(`0x${content.toString('hex')}`);
}

/** An object identifier in dotted form: `1.2.840.10045.2.1`. */
export function derObjectId(content: Buffer): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first = 0, ...rest] = arcs;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join('.');
}

/** Encodes an element with this tag that contains the parts. */
export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = bytesOf(BigInt(content.length));
  return Buffer.concat([Buffer.from([tag, 0x80 + length.length]), length, content]);
}

export function derInteger(value: bigint): Buffer {
  const bytes = bytesOf(value);
  return der(derTag.integer, bytes[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

function bytesOf(value: bigint): Buffer {
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}
