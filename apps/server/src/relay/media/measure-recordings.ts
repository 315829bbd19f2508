import { Worker } from "node:worker_threads";
import { OnDemandWorker } from "../../platform/work/on-demand-worker.ts";
import type { RecordingLength } from "../body/index.ts";
import { RelayError } from "../errors/index.ts";

/** A recording whose length is asked for. */
export interface Recording {
  readonly file: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
}

/** Who asks for the length of a recording. */
export interface Asker {
  readonly userId: number;
  /** False once nobody waits for the answer any more. */
  readonly isThere: () => boolean;
}

/** What the thread says: that it can begin, or how long a recording is. */
export type SaidByThread = "ready" | { readonly length: RecordingLength | undefined };

/**
 * Measures a recording in another thread; undefined where its file does not tell, or takes too long to. Rejects with a 429 RelayError where too many
 * of the account's wait.
 */
export type MeasureRecording = (recording: Recording, asker: Asker) => Promise<RecordingLength | undefined>;

/** So many recordings of one account may wait. */
const MOST_WAITING = 32;
/** Whatever is a recording is measured in a tenth of this; files are made up that take minutes. In ms. */
const LONGEST_LOOK_MS = 1_000;
/** Without work for this long the thread ends, and its memory is free again. In ms. */
const IDLE_MS = 60_000;

interface Waiting {
  readonly recording: Recording;
  readonly isThere: () => boolean;
  readonly done: (length: RecordingLength | undefined) => void;
}

/** Builds what measures, accounts in turn. Its thread starts with the first recording and keeps no process alive. */
export function createMeasureRecording(
  startThread: () => Worker = startMeasuringThread,
  longestLookMs: number = LONGEST_LOOK_MS,
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
  const limitLook = () => {
    if (current !== undefined) timer = setTimeout(giveUp, longestLookMs);
  };
  const thread = new OnDemandWorker<SaidByThread>({
    start() {
      isReady = false;
      return startThread();
    },
    idleMs: IDLE_MS,
    onMessage(said) {
      if (said !== "ready") return finish(said.length);
      isReady = true;
      limitLook();
    },
    onExit: () => finish(undefined),
  });
  const giveUp = () => {
    thread.stop();
    finish(undefined);
  };
  const next = () => {
    if (current !== undefined) return;
    current = takeInTurn(waiting);
    if (current === undefined) return thread.idle();
    // A copy of its own: the file is a part of the body, which would be copied whole.
    const file = new Uint8Array(current.recording.file);
    thread.post({ ...current.recording, file }, file.buffer);
    if (isReady) limitLook();
  };
  return (recording, { userId, isThere }) =>
    new Promise((done, reject) => {
      const ofAccount = (waiting.get(userId) ?? []).filter((each) => each.isThere());
      if (ofAccount.length >= MOST_WAITING) return reject(tooMany());
      waiting.set(userId, [...ofAccount, { recording, isThere, done }]);
      next();
    });
}

/** Takes the first that is still asked for, of the account whose turn it is. */
function takeInTurn(waiting: Map<number, Waiting[]>): Waiting | undefined {
  for (const [userId, all] of waiting) {
    const [first, ...others] = all.filter(({ isThere }) => isThere());
    waiting.delete(userId);
    if (first === undefined) continue;
    if (others.length > 0) waiting.set(userId, others);
    return first;
  }
  return undefined;
}

/** What a file can make the thread hold, in MB: then it ends, and the length is not known. */
const MEMORY_MB = 256;

function startMeasuringThread(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB };
  return new Worker(new URL("./measure-recording-thread.ts", import.meta.url), { resourceLimits });
}

function tooMany(): RelayError {
  const message = `An account may send ${MOST_WAITING} recordings at once. Wait for one of them.`;
  return new RelayError({ status: 429, type: "requests", code: "too_many_recordings", message, retryAfterSeconds: 1 });
}
