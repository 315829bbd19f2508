import { setFlagsFromString } from "node:v8";
import { createContext, Script } from "node:vm";

/** After so many bytes of buffers the young objects are collected: a ms or less. With 8 MiB the process grew by 40 MB more and took as much CPU. */
const COLLECT_BYTES = 2 * 1024 * 1024;

let collect: (() => void) | undefined;
let bytesSince = 0;

/**
 * Notes that buffers of so many bytes are garbage soon, and has V8 collect young objects where many have come. By itself it waits until its own heap
 * is full, for which the small objects that stand for buffers are too few, or until 32 to 90 MB of them are there, and then goes through all objects,
 * old ones too: of 1.6 GB that passed, that took a third of the CPU, and 60 MB more of memory.
 */
export function noteGarbage(bytes: number): void {
  bytesSince += bytes;
  if (bytesSince < COLLECT_BYTES) return;
  bytesSince = 0;
  collect ??= makeCollect();
  collect();
}

/** V8 tells what collects to contexts that are made while it may. A V8 that tells nothing collects by itself alone. */
function makeCollect(): () => void {
  setFlagsFromString("--expose-gc");
  const context = createContext();
  setFlagsFromString("--no-expose-gc");
  const script = new Script("if (typeof gc === 'function') gc({ type: 'minor' })");
  return () => void script.runInContext(context);
}
