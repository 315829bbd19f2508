import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 20;
const IDLE_MS = 60_000;
const NANOSECONDS = 1_000_000;

interface Delay {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Measures how late the event loop runs timers, while it is read. */
export class EventLoopDelay {
  #histogram: ReturnType<typeof monitorEventLoopDelay> | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** Returns the delay since the last read. Undefined at the first read, which starts to measure. */
  read(): Delay | undefined {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#stop(), IDLE_MS).unref();
    const histogram = this.#histogram;
    if (histogram === undefined) {
      this.#histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      this.#histogram.enable();
      return undefined;
    }
    if (histogram.count === 0) return { p50Ms: 0, p99Ms: 0, maxMs: 0 };
    const delay = {
      p50Ms: lateMs(histogram.percentile(50)),
      p99Ms: lateMs(histogram.percentile(99)),
      maxMs: lateMs(histogram.max),
    };
    histogram.reset();
    return delay;
  }

  #stop(): void {
    this.#histogram?.disable();
    this.#histogram = undefined;
  }
}

function lateMs(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS);
}
