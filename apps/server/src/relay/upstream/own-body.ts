import type { Dispatcher } from "undici";

/** Pieces of memory that are longer may be another body's once a request has ended, in bytes. */
const OWN_BYTES = 256 * 1024;

/** True for what lies in memory that may be another body's once the request has ended. */
export function isInSharedMemory({ buffer }: Buffer): boolean {
  return buffer.byteLength > OWN_BYTES;
}

/** Returns the body, or a copy where its memory may become another's: for a client that gives it to the system as it is. */
export function ownBody(body: Buffer): Buffer {
  return isInSharedMemory(body) ? Buffer.from(body) : body;
}

/** Returns the request with such a body. */
export function withOwnBody(options: Dispatcher.DispatchOptions): Dispatcher.DispatchOptions {
  const { body } = options;
  return Buffer.isBuffer(body) && isInSharedMemory(body) ? { ...options, body: ownBody(body) } : options;
}
