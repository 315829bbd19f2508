/** Returns the memory of a piece to the system, unless the piece is a part of something larger. The piece must not be read again. */
export function freePiece({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Shorter results are left to the garbage collector. */
const LONG_BYTES = 64 * 1024;

/**
 * Returns all pieces as one. The memory of long pieces is returned to the system, since the collector would keep it beside the result for too long; an
 * answer of 25 MiB would take twice its size. The pieces must not be read again.
 */
export function joinPieces(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const bytes = Buffer.concat(pieces);
  if (bytes.length > LONG_BYTES) for (const piece of pieces) freePiece(piece);
  return bytes;
}
