import { executionAsyncResource } from "node:async_hooks";
import { setFlagsFromString } from "node:v8";
import { createContext, Script } from "node:vm";

/*
 * Everything that depends on how V8 and Node work inside. Each can be removed without changing an answer.
 *
 * | function               | gain                                                        | measure                              |
 * |------------------------|-------------------------------------------------------------|--------------------------------------|
 * | keepTicksFast          | 0.35 -> 0.07 µs per nextTick, some ten per request          | npm run bench -- --only answers      |
 * | allocateYoung          | 10 to 20 µs of CPU per request                              | the same, after some minutes of load |
 * | collectYoungAfter      | a third of the CPU and 60 MB with 200 fast, unread streams  | relay test of callers who read nothing |
 */

let tick: object | undefined;

/**
 * Retains one of the objects that `process.nextTick` makes. When a major collection finds none, V8 drops their hidden class, and
 * Node makes all later ones by Runtime_DefineKeyedOwnPropertyInLiteral. Call it before anything else runs.
 */
export function keepTicksFast(): void {
  process.nextTick(() => (tick ??= executionAsyncResource()));
}

/**
 * Turns off allocation-site pretenuring, by which V8 moves arrays to the old generation, where they wait for a major collection. Call it first.
 */
export function allocateYoung(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}

/** With 8 MiB the process grew by 40 MB more and took as much CPU. */
const COLLECT_BYTES = 2 * 1024 * 1024;

let collect: (() => void) | undefined;
let bytesSince = 0;

/**
 * Counts bytes of buffers that become garbage, and runs a minor collection (1 ms) for every 2 MiB. V8 counts only the small
 * objects that stand for buffers, so it collects too late, and then the whole heap.
 */
export function collectYoungAfter(bytes: number): void {
  bytesSince += bytes;
  if (bytesSince < COLLECT_BYTES) return;
  bytesSince = 0;
  collect ??= makeCollect();
  collect();
}

/** `gc` is visible only in contexts made while the flag is set. */
function makeCollect(): () => void {
  setFlagsFromString("--expose-gc");
  const context = createContext();
  setFlagsFromString("--no-expose-gc");
  const script = new Script("if (typeof gc === 'function') gc({ type: 'minor' })");
  return () => void script.runInContext(context);
}
