import { type OnReadOpts, Socket } from "node:net";
import type { buildConnector } from "undici";
import { checkedConnector } from "../../../platform/network/checked-connector.ts";
import { ONE_PIECE } from "../../../platform/network/one-piece.ts";

const intoOnePiece: OnReadOpts = {
  buffer: ONE_PIECE,
  callback(this: unknown, length, bytes) {
    if (this instanceof Socket) this.emit("data", Buffer.from(bytes.subarray(0, length)));
    return true;
  },
};

/** Makes the connections of a `DirectClient`: HTTP/1.1, to no forbidden place. */
export function directConnector(timeoutMs: number): buildConnector.connector {
  return checkedConnector(timeoutMs, { allowH2: false, onread: intoOnePiece });
}
