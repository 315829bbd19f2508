import type { Socket } from "node:net";

/** What the system brings at once at the most, in bytes. */
const READ_BYTES = 64 * 1024;

/**
 * Connections are read into this piece of memory, one after the other, and what came is copied out of it. Node would take a piece of this size for
 * every read and give most of it back, however little came.
 */
export const ONE_PIECE = Buffer.allocUnsafeSlow(READ_BYTES);

/** Takes what came on a connection; false: nothing more is to be read for now. */
export type TakeBytes = (bytes: Buffer) => boolean;

/**
 * Has a connection that a server has taken read into the one piece, as `onread` does for those that are made: what comes is given to `take`. False,
 * and nothing is changed, where Node keeps what it takes for that elsewhere than expected.
 */
export function readIntoOnePiece(socket: Socket, take: TakeBytes): boolean {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null) return false;
  const useUserBuffer: unknown = Reflect.get(handle, "useUserBuffer");
  const [buffer, callback] = ["kBuffer", "kBufferCb"].map((name) => ownSymbol(socket, name));
  if (typeof useUserBuffer !== "function" || buffer === undefined || callback === undefined) return false;
  Reflect.set(socket, buffer, ONE_PIECE);
  Reflect.set(socket, callback, (length: number) => take(copyOut(length)));
  Reflect.apply(useUserBuffer, handle, [ONE_PIECE]);
  return true;
}

/** Copies stand in memory of so many bytes together, longer ones alone. */
const COPIES_BYTES = 8 * 1024;
const MOST_TOGETHER_BYTES = 2 * 1024;

let copies = Buffer.allocUnsafeSlow(COPIES_BYTES);
let copiedBytes = 0;

/**
 * Copies what was read. It stands beside nothing but other requests: what of them stays, the bodies of open streams, would keep the memory of all
 * else that Node's own pool brings together, 8 KB for a stream.
 */
function copyOut(length: number): Buffer {
  if (length > MOST_TOGETHER_BYTES) {
    const alone = Buffer.allocUnsafeSlow(length);
    ONE_PIECE.copy(alone, 0, 0, length);
    return alone;
  }
  if (copiedBytes + length > COPIES_BYTES) {
    copies = Buffer.allocUnsafeSlow(COPIES_BYTES);
    copiedBytes = 0;
  }
  const start = copiedBytes;
  copiedBytes += length;
  ONE_PIECE.copy(copies, start, 0, length);
  return copies.subarray(start, copiedBytes);
}

const symbols = new Map<string, symbol | undefined>();

/** A symbol of Node's that all connections have, by what it is called. */
function ownSymbol(socket: Socket, name: string): symbol | undefined {
  if (!symbols.has(name)) {
    symbols.set(
      name,
      Object.getOwnPropertySymbols(socket).find(({ description }) => description === name),
    );
  }
  return symbols.get(name);
}
