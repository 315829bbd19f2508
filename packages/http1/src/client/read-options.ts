import { type OnReadOpts, Socket } from "node:net";
import { READ_BUFFER } from "../read-buffer.ts";

/** Option `onread` of new connections: they are read into the shared buffer, and emit copies as "data". */
export const sharedRead: OnReadOpts = {
  buffer: READ_BUFFER,
  callback(this: unknown, length, bytes) {
    if (this instanceof Socket) this.emit("data", Buffer.from(bytes.subarray(0, length)));
    return true;
  },
};
