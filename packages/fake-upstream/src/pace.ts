import type { Behaviour } from "./behaviour.ts";

const slowHeadersDelayMs = 1_000;
const slowChunkDelayMs = 100;

/** The wait before the headers, in milliseconds. */
export function headersDelayMs(behaviour: Behaviour): number {
  return behaviour.headersDelayMs ?? (behaviour.kind === "slow" ? slowHeadersDelayMs : 0);
}

/** The wait between two pieces of a stream, in milliseconds. */
export function chunkDelayMs(behaviour: Behaviour): number {
  return behaviour.chunkDelayMs ?? (behaviour.kind === "slow" ? slowChunkDelayMs : 0);
}
