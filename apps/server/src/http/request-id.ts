import { randomFillSync } from "node:crypto";

const ID_BYTES = 12;
const pool = Buffer.alloc(ID_BYTES * 512);
let offset = pool.length;

/** A new request id: 24 hex digits nobody can foretell. Randomness is drawn for many ids at once, since every relayed request needs one. */
export function createRequestId(): string {
  if (offset >= pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  offset += ID_BYTES;
  return pool.toString("hex", offset - ID_BYTES, offset);
}
