import { LimitReachedError } from "./limit-reached.ts";

/** Requests that wait for one limit on this server. Further ones are refused at once. */
const MOST_IN_LINE = 100;
const MOST_WAITING = 1_000;
/** Interval of tries of the first in line: another server may have ended a request, or a window may have moved on. */
const TRY_MS = 50;

interface Wait {
  readonly waitMs: number;
  readonly gone: () => AbortSignal;
}

interface Waiter<Admitted> {
  readonly attempt: () => Admitted | Promise<Admitted>;
  readonly resolve: (admitted: Admitted) => void;
  readonly reject: (error: Error) => void;
  error: LimitReachedError;
}

interface Line<Admitted> {
  readonly waiters: Waiter<Admitted>[];
  readonly timer: NodeJS.Timeout;
  isTrying: boolean;
}

/**
 * Requests that wait for a limit, in one FIFO queue for each limited subject. Only the first one of a queue is tried.
 */
export class AdmissionQueue<Admitted extends { settle(used: number): void }> {
  readonly #lines = new Map<string, Line<Admitted>>();
  #waiting = 0;

  /** Tries at once, else waits. Rejects with the LimitReachedError of the last try after `waitMs`, and at once where the line is full or the caller is gone. */
  admit(
    names: readonly string[],
    attempt: () => Admitted | Promise<Admitted>,
    wait: Wait,
  ): Admitted | Promise<Admitted> {
    const line = names.find((name) => this.#lines.has(name));
    if (line !== undefined) return this.#joinBehind(line, attempt, wait);
    const join = (error: unknown): Promise<Admitted> => {
      if (!(error instanceof LimitReachedError)) throw error;
      return this.#join(error.state.subject.name, attempt, error, wait);
    };
    try {
      const tried = attempt();
      return tried instanceof Promise ? tried.catch(join) : tried;
    } catch (error) {
      return join(error);
    }
  }

  /** Tries the first in each line, since a request of the subjects has ended. */
  wake(subjects: readonly { readonly name: string }[]): void {
    if (this.#lines.size === 0) return;
    for (const { name } of subjects) void this.#tryFirst(name);
  }

  #joinBehind(name: string, attempt: Waiter<Admitted>["attempt"], wait: Wait): Promise<Admitted> {
    const last = this.#lines.get(name)?.waiters.at(-1);
    if (last === undefined) throw new Error("A line of waiting requests is empty.");
    return this.#join(name, attempt, last.error, wait);
  }

  #join(
    name: string,
    attempt: Waiter<Admitted>["attempt"],
    error: LimitReachedError,
    { waitMs, gone }: Wait,
  ): Promise<Admitted> {
    const line = this.#lines.get(name) ?? this.#begin(name);
    const signal = gone();
    const isTooLong = error.state.resetSeconds * 1000 > waitMs;
    if (isTooLong || signal.aborted || line.waiters.length >= MOST_IN_LINE || this.#waiting >= MOST_WAITING) {
      this.#endIfEmpty(name, line);
      return refuse(error);
    }
    return new Promise((resolve, reject) => {
      const finish = (end: () => void): void => {
        const place = line.waiters.indexOf(waiter);
        if (place === -1) return;
        line.waiters.splice(place, 1);
        this.#waiting -= 1;
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        this.#endIfEmpty(name, line);
        end();
      };
      const waiter: Waiter<Admitted> = {
        attempt,
        error,
        resolve: (admitted) => {
          if (!line.waiters.includes(waiter)) admitted.settle(0);
          finish(() => resolve(admitted));
        },
        reject: (failure) => finish(() => reject(failure)),
      };
      const leave = (): void => waiter.reject(waiter.error);
      const timer = setTimeout(leave, waitMs);
      signal.addEventListener("abort", leave, { once: true });
      line.waiters.push(waiter);
      this.#waiting += 1;
    });
  }

  #begin(name: string): Line<Admitted> {
    const timer = setInterval(() => void this.#tryFirst(name), TRY_MS);
    const line = { waiters: [], timer, isTrying: false };
    this.#lines.set(name, line);
    return line;
  }

  #endIfEmpty(name: string, line: Line<Admitted>): void {
    if (line.waiters.length > 0) return;
    clearInterval(line.timer);
    if (this.#lines.get(name) === line) this.#lines.delete(name);
  }

  /** Admits the first in line, and those behind it, as long as the limits allow it. */
  async #tryFirst(name: string): Promise<void> {
    const line = this.#lines.get(name);
    if (line === undefined || line.isTrying) return;
    line.isTrying = true;
    for (let first = line.waiters[0]; first !== undefined; first = line.waiters[0]) {
      try {
        first.resolve(await first.attempt());
      } catch (error) {
        if (error instanceof LimitReachedError) {
          first.error = error;
          break;
        }
        first.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
    line.isTrying = false;
  }
}

async function refuse(error: LimitReachedError): Promise<never> {
  throw error;
}
