/** Frees a buffer's memory at once, unless it is part of a larger one. The buffer must not be read again. */
export function freePiece({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

const LONG_BYTES = 64 * 1024;

/**
 * Concatenates buffers and frees long ones at once: otherwise an answer of 25 MiB takes twice its size until
 * the next collection.
 * The buffers must not be read again.
 */
export function joinPieces(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const bytes = Buffer.concat(pieces);
  if (bytes.length > LONG_BYTES) for (const piece of pieces) freePiece(piece);
  return bytes;
}
