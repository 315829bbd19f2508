import { type OnReadOpts, Socket } from "node:net";
import type { buildConnector } from "undici";
import { checkedConnector } from "../../../core/network/checked-connector.ts";

/** What the system brings at once at the most, in bytes. */
const READ_BYTES = 64 * 1024;

/**
 * All connections are read into one piece of memory, one after the other, and what came is copied out of it. Node would take a piece of this size for
 * every read and give most of it back, however little came.
 */
const intoOnePiece: OnReadOpts = {
  buffer: Buffer.allocUnsafeSlow(READ_BYTES),
  callback(this: unknown, length, bytes) {
    if (this instanceof Socket) this.emit("data", Buffer.from(bytes.subarray(0, length)));
    return true;
  },
};

/** Makes the connections of a `DirectClient`: HTTP/1.1, to no forbidden place. */
export function directConnector(timeoutMs: number): buildConnector.connector {
  return checkedConnector(timeoutMs, { allowH2: false, onread: intoOnePiece });
}
