const encoder = new TextEncoder();

/** Bytes that arrays are cut from, and the longest that is. */
const [roomLength, mostCut] = [16_384, 4096];
let room = new Uint8Array(roomLength);
let taken = 0;

/**
 * Texts, in UTF-8, and bytes as one array. Short ones are cut from a larger array, each from an unused part: memory
 * of its own costs an array more than its content.
 */
export function joinedBytes(pieces: readonly (string | Uint8Array)[]): Uint8Array {
  // A unit of UTF-16 is three bytes of UTF-8 at most.
  const most = pieces.reduce((sum, piece) => sum + piece.length * (typeof piece === 'string' ? 3 : 1), 0);
  if (most > mostCut) return filled(new Uint8Array(most), pieces);
  if (taken + most > roomLength) [room, taken] = [new Uint8Array(roomLength), 0];
  const bytes = filled(room.subarray(taken), pieces);
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
