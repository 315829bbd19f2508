import { Worker } from "node:worker_threads";
import type { FormatName } from "@one-api/providers/format";
import { OnDemandWorker } from "../../platform/work/on-demand-worker.ts";

/** A prompt for the thread that counts. */
export interface PromptToCount {
  /** The request's JSON body. */
  readonly bytes: Uint8Array;
  /** What the body means. */
  readonly format: FormatName;
  readonly model: string;
  readonly mode: "exact" | "approximate";
}

/** What the thread made of it. */
export interface CountedPrompt {
  /** Undefined when the body cannot be read. */
  readonly tokens: number | undefined;
  /** False where the time was up and the tokens are scaled up from a part of the text. */
  readonly isWhole: boolean;
}

/** Counts a prompt in another thread; undefined when too many wait already, it waited too long, or it cannot be counted. */
export type CountPrompt = (prompt: PromptToCount) => Promise<CountedPrompt | undefined>;

/** Prompts that wait for their count at the most, and the bytes of their bodies. */
const MAX_WAITING = 64;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Nobody waits longer than this for its turn, whatever others have counted: about that much is known without a count. In ms. */
const LONGEST_WAIT_MS = 1_000;
/** Without work for this long the thread ends, and its tokenizer's memory is free again. In ms. */
const IDLE_MS = 60_000;

interface Waiting {
  readonly prompt: PromptToCount;
  readonly sinceMs: number;
  readonly done: (counted: CountedPrompt | undefined) => void;
  /** Ends the wait, however long the thread takes for what is before it, or to start. */
  readonly timer: NodeJS.Timeout;
}

/** Builds the counter. Its thread starts with the first prompt and keeps no process alive. */
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
  const isLate = ({ sinceMs }: Waiting) => nowMs() - sinceMs >= LONGEST_WAIT_MS;
  const dismissLate = () => {
    while (waiting[0] !== undefined && isLate(waiting[0])) take()?.done(undefined);
  };
  const next = () => {
    if (current !== undefined) return;
    dismissLate();
    current = take();
    if (current === undefined) return thread.idle();
    // Moved, not cloned, which would take its length twice more for a while.
    const bytes = new Uint8Array(current.prompt.bytes);
    thread.post({ ...current.prompt, bytes }, bytes.buffer);
  };
  return (prompt) =>
    new Promise((done) => {
      if (waiting.length >= MAX_WAITING || waitingBytes + prompt.bytes.length > MAX_WAITING_BYTES) {
        done(undefined);
        return;
      }
      const timer = setTimeout(dismissLate, LONGEST_WAIT_MS + 1).unref();
      waiting.push({ prompt, sinceMs: nowMs(), done, timer });
      waitingBytes += prompt.bytes.length;
      next();
    });
}

/** What a count makes is garbage when it ends: more room for it than this, in MB, only makes the process larger. */
const YOUNG_MB = 8;

function startCountingThread(): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
  return new Worker(new URL("./count-prompt-thread.ts", import.meta.url), { resourceLimits });
}
