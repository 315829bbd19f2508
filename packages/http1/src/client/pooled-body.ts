import type { Dispatcher } from "undici";

/** Memory blocks over this many bytes come from a pool: another body may fill them once the request has ended. */
const MAX_OWN_BYTES = 256 * 1024;

/** True for a body in pooled memory, which must not be read after the request has ended. */
export function isPooled({ buffer }: Buffer): boolean {
  return buffer.byteLength > MAX_OWN_BYTES;
}

/** Returns the body, as a copy if it is pooled: for a client that passes its memory to the system. */
export function copyIfPooled(body: Buffer): Buffer {
  return isPooled(body) ? Buffer.from(body) : body;
}

/** Returns the request, with a copy of its body if that is pooled. */
export function withOwnBody(options: Dispatcher.DispatchOptions): Dispatcher.DispatchOptions {
  const { body } = options;
  return Buffer.isBuffer(body) && isPooled(body) ? { ...options, body: copyIfPooled(body) } : options;
}
