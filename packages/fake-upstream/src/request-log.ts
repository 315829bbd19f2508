import type { RequestRecord } from "./request-record.ts";

export type RecordTest = (record: RequestRecord) => boolean;

interface Waiter {
  test: RecordTest;
  resolve: (record: RequestRecord) => void;
}

/** The last requests, oldest first, and those who wait for something to happen to one of them. */
export class RequestLog {
  readonly records: RequestRecord[] = [];
  readonly #limit: number;
  readonly #waiters = new Set<Waiter>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(record: RequestRecord): void {
    this.records.push(record);
    if (this.records.length > this.#limit) this.records.shift();
  }

  clear(): void {
    this.records.length = 0;
  }

  /** Tells the waiting that a record has changed. */
  announce(record: RequestRecord): void {
    for (const waiter of this.#waiters) {
      if (waiter.test(record)) waiter.resolve(record);
    }
  }

  /** The first record that passes the test, now or later. Rejects after `timeoutMs`. */
  waitFor(what: string, test: RecordTest, timeoutMs: number): Promise<RequestRecord> {
    const found = this.records.find(test);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
      };
      const waiter: Waiter = {
        test,
        resolve: (record) => {
          settle();
          resolve(record);
        },
      };
      const timer = setTimeout(() => {
        settle();
        reject(new Error(`the fake upstream saw no ${what} within ${timeoutMs} ms`));
      }, timeoutMs);
      this.#waiters.add(waiter);
    });
  }
}
