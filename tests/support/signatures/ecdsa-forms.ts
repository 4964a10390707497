/** The order of P-256 (SEC 2, §2.4.2). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * What else verifies where this P-256 signature (r‖s) does: DER of it, and both forms of r and n−s.
 */
export function otherForms(signature: Buffer): Buffer[] {
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)];
  const mirrored = Buffer.from((order - BigInt(`0x${s.toString('hex')}`)).toString(16).padStart(64, '0'), 'hex');
  return [der(r, s), Buffer.concat([r, mirrored]), der(r, mirrored)];
}

/** Ecdsa-Sig-Value (RFC 3279, §2.2.3) of numbers of 32 bytes. */
function der(r: Buffer, s: Buffer): Buffer {
  const body = Buffer.concat([integer(r), integer(s)]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

function integer(number: Buffer): Buffer {
  const first = number.findIndex((byte) => byte !== 0);
  const plain = number.subarray(first);
  const bytes = plain[0]! < 0x80 ? plain : Buffer.concat([Buffer.from([0]), plain]);
  return Buffer.concat([Buffer.from([0x02, bytes.length]), bytes]);
}
