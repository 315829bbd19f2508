import { Worker } from "node:worker_threads";
import { OnDemandWorker } from "../../platform/work/on-demand-worker.ts";
import type { RecordingLength } from "../body/index.ts";
import { RelayError } from "../errors/index.ts";

export interface Recording {
  readonly file: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
}

export interface Requester {
  readonly userId: number;
  readonly isConnected: () => boolean;
}

export type ThreadMessage = "ready" | { readonly length: RecordingLength | undefined };

/** Undefined if the file does not show its length or takes too long. Rejects with a 429 RelayError if too many of the account wait. */
export type MeasureRecording = (recording: Recording, requester: Requester) => Promise<RecordingLength | undefined>;

const MAX_WAITING = 32;
/** Real recordings need a tenth of this; crafted files could take minutes. */
const MAX_MEASURE_MS = 1_000;
const IDLE_MS = 60_000;

interface Waiting {
  readonly recording: Recording;
  readonly isConnected: () => boolean;
  readonly done: (length: RecordingLength | undefined) => void;
}

/** Serves accounts round-robin. The thread starts with the first recording and does not keep the process alive. */
export function createMeasureRecording(
  startThread: () => Worker = startMeasuringThread,
  maxMeasureMs: number = MAX_MEASURE_MS,
): MeasureRecording {
  const waiting = new Map<number, Waiting[]>();
  let isReady = false;
  let current: Waiting | undefined;
  let timer: NodeJS.Timeout | undefined;

  const finish = (length: RecordingLength | undefined) => {
    clearTimeout(timer);
    current?.done(length);
    current = undefined;
    next();
  };
  const startTimer = () => {
    if (current !== undefined) timer = setTimeout(giveUp, maxMeasureMs);
  };
  const thread = new OnDemandWorker<ThreadMessage>({
    start() {
      isReady = false;
      return startThread();
    },
    idleMs: IDLE_MS,
    onMessage(message) {
      if (message !== "ready") return finish(message.length);
      isReady = true;
      startTimer();
    },
    onExit: () => finish(undefined),
  });
  const giveUp = () => {
    thread.stop();
    finish(undefined);
  };
  const next = () => {
    if (current !== undefined) return;
    current = takeNext(waiting);
    if (current === undefined) return thread.idle();
    // A copy: posting a slice would copy the whole body.
    const file = new Uint8Array(current.recording.file);
    thread.post({ ...current.recording, file }, file.buffer);
    if (isReady) startTimer();
  };
  return (recording, { userId, isConnected }) =>
    new Promise((done, reject) => {
      const ofAccount = (waiting.get(userId) ?? []).filter((each) => each.isConnected());
      if (ofAccount.length >= MAX_WAITING) return reject(tooMany());
      waiting.set(userId, [...ofAccount, { recording, isConnected, done }]);
      next();
    });
}

function takeNext(waiting: Map<number, Waiting[]>): Waiting | undefined {
  for (const [userId, all] of waiting) {
    const [first, ...others] = all.filter(({ isConnected }) => isConnected());
    waiting.delete(userId);
    if (first === undefined) continue;
    if (others.length > 0) waiting.set(userId, others);
    return first;
  }
  return undefined;
}

/** Heap limit of the thread. A file that exceeds it has no known length. */
const MEMORY_MB = 256;

function startMeasuringThread(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB };
  return new Worker(new URL("./measure-recording-thread.ts", import.meta.url), { resourceLimits });
}

function tooMany(): RelayError {
  const message = `An account may send ${MAX_WAITING} recordings at once. Wait for one of them.`;
  return new RelayError({ status: 429, type: "requests", code: "too_many_recordings", message, retryAfterSeconds: 1 });
}
