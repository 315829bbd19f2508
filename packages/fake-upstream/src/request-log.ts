import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** One request as the upstream saw it, and what became of it. Times are milliseconds since 1970. */
export interface RequestRecord {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came; empty until it has arrived. */
  bodyText: string;
  /** The parsed JSON body; undefined when there is none or it is no JSON. */
  body: unknown;
  readonly startedAtMs: number;
  /** When the whole request had arrived. */
  receivedAtMs: number | null;
  /** When the whole answer had been handed to the socket. */
  finishedAtMs: number | null;
  /** When the caller closed the connection before the end of the answer. */
  abortedAtMs: number | null;
  status: number | null;
  /** Body bytes handed to the socket so far. */
  bytesSent: number;
  /** Completion tokens handed to the socket so far, reasoning included; of a JSON body all or none. */
  tokensServed: number;
}

/** A fresh record of a request whose head has arrived. */
export function openRecord(request: IncomingMessage): RequestRecord {
  const url = request.url ?? "/";
  const queryStart = url.indexOf("?");
  return {
    method: request.method ?? "GET",
    path: queryStart === -1 ? url : url.slice(0, queryStart),
    query: queryStart === -1 ? "" : url.slice(queryStart + 1),
    headers: request.headers,
    bodyText: "",
    body: undefined,
    startedAtMs: Date.now(),
    receivedAtMs: null,
    finishedAtMs: null,
    abortedAtMs: null,
    status: null,
    bytesSent: 0,
    tokensServed: 0,
  };
}

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
