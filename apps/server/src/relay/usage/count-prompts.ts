import { Worker } from "node:worker_threads";
import type { FormatName } from "@one-api/providers/format";
import { OnDemandWorker } from "../../platform/work/on-demand-worker.ts";

export interface PromptToCount {
  readonly bytes: Uint8Array;
  readonly format: FormatName;
  readonly model: string;
  readonly mode: "exact" | "approximate";
}

export interface CountedPrompt {
  readonly tokens: number | undefined;
  readonly isWhole: boolean;
}

/** Undefined if the queue is full, the wait too long, or the prompt cannot be counted. */
export type CountPrompt = (prompt: PromptToCount) => Promise<CountedPrompt | undefined>;

const MAX_WAITING = 64;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Maximum wait in the queue, in ms: an estimate is available without a count. */
const MAX_WAIT_MS = 1_000;
const IDLE_MS = 60_000;

interface Waiting {
  readonly prompt: PromptToCount;
  readonly sinceMs: number;
  readonly done: (counted: CountedPrompt | undefined) => void;
  readonly timer: NodeJS.Timeout;
}

/** The thread starts with the first prompt and does not keep the process alive. */
export function createCountPrompt(
  startThread: () => Worker = startCountingThread,
  nowMs: () => number = () => performance.now(),
): CountPrompt {
  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  let current: Waiting | undefined;

  const finish = (counted: CountedPrompt | undefined) => {
    current?.done(counted);
    current = undefined;
    next();
  };
  const thread = new OnDemandWorker<CountedPrompt>({
    start: startThread,
    idleMs: IDLE_MS,
    onMessage: finish,
    onExit: () => finish(undefined),
  });
  const take = () => {
    const first = waiting.shift();
    if (first === undefined) return undefined;
    clearTimeout(first.timer);
    waitingBytes -= first.prompt.bytes.length;
    return first;
  };
  const isLate = ({ sinceMs }: Waiting) => nowMs() - sinceMs >= MAX_WAIT_MS;
  const dismissLate = () => {
    while (waiting[0] !== undefined && isLate(waiting[0])) take()?.done(undefined);
  };
  const next = () => {
    if (current !== undefined) return;
    dismissLate();
    current = take();
    if (current === undefined) return thread.idle();
    // Moved, since cloning would take twice the length for a while.
    const bytes = new Uint8Array(current.prompt.bytes);
    thread.post({ ...current.prompt, bytes }, bytes.buffer);
  };
  return (prompt) =>
    new Promise((done) => {
      if (waiting.length >= MAX_WAITING || waitingBytes + prompt.bytes.length > MAX_WAITING_BYTES) {
        done(undefined);
        return;
      }
      const timer = setTimeout(dismissLate, MAX_WAIT_MS + 1).unref();
      waiting.push({ prompt, sinceMs: nowMs(), done, timer });
      waitingBytes += prompt.bytes.length;
      next();
    });
}

/** Young heap of the thread: a larger one only makes the process larger. */
const YOUNG_MB = 8;

function startCountingThread(): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
  return new Worker(new URL("./count-prompt-thread.ts", import.meta.url), { resourceLimits });
}
