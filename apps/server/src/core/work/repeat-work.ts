/** Where failures are told: the server's log, or who passes them on to it. */
interface FailureLog {
  error(details: { readonly err: unknown; readonly job: string }, message: string): void;
}

/** Work that is done again and again beside requests. */
export interface RepeatedWork {
  /** Does the work now, or once more after what is under way; resolves when that is done. Nothing happens after `stop`. */
  soon(): Promise<void>;
  /** Ends the repetition; resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

interface Repetition {
  /** What the log calls the work when it fails, for example `ledger beat`. */
  readonly name: string;
  readonly everyMs: number;
  readonly log: FailureLog;
}

/**
 * Does the work every `everyMs`, for the first time after that, and never twice at once: what is asked for meanwhile is one more run. A
 * failure is logged and the next run tries again. Every process does its own: where several share a database the work must bear that.
 */
export function repeatWork({ name, everyMs, log }: Repetition, work: () => Promise<void>): RepeatedWork {
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let stopped = false;
  const run = async (): Promise<void> => {
    if (stopped) return;
    try {
      await work();
    } catch (error) {
      log.error({ err: error, job: name }, "work beside requests failed; it is tried again");
    }
  };
  const start = (): Promise<void> => {
    const started = run().then(() => {
      if (underWay === started) underWay = undefined;
    });
    underWay = started;
    return started;
  };
  const soon = (): Promise<void> => {
    if (stopped) return Promise.resolve();
    if (underWay === undefined) return start();
    next ??= underWay.then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
  const timer = setInterval(() => void soon(), everyMs);
  timer.unref();
  return {
    soon,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await underWay;
      await next;
    },
  };
}
