const encoder = new TextEncoder();

/** Size of the buffer that short results are cut from, and their maximum length. */
const [bufferLength, maxCut] = [16_384, 4096];
let buffer = new Uint8Array(bufferLength);
let taken = 0;

/**
 * Joins texts, in UTF-8, and bytes. Short results are cut from unused parts of a larger array, because memory of its own costs a short
 * array more than its content.
 */
export function joinedBytes(pieces: readonly (string | Uint8Array)[]): Uint8Array {
  // One UTF-16 unit has at most three bytes in UTF-8.
  const maxLength = pieces.reduce((sum, piece) => sum + piece.length * (typeof piece === 'string' ? 3 : 1), 0);
  if (maxLength > maxCut) return filled(new Uint8Array(maxLength), pieces);
  if (taken + maxLength > bufferLength) [buffer, taken] = [new Uint8Array(bufferLength), 0];
  const bytes = filled(buffer.subarray(taken), pieces);
  taken += bytes.length;
  return bytes;
}

/** The filled part of the target. */
function filled(target: Uint8Array, pieces: readonly (string | Uint8Array)[]): Uint8Array {
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') at += encoder.encodeInto(piece, target.subarray(at)).written;
    else {
      target.set(piece, at);
      at += piece.length;
    }
  }
  return target.subarray(0, at);
}
