import type { IncomingMessage } from "node:http";
import { PICTURES } from "@one-api/providers/stub-kit/pictures/picture-store";
import type { RequestRecord } from "@one-api/providers/stub-kit/request-record";

/** Opens the record of a request after its head has arrived. `root` is the vendor at the base address; empty where the path names it. */
export function openRecord(request: IncomingMessage, root: string): RequestRecord {
  const { fullPath, query } = splitUrl(request.url ?? "/");
  return {
    method: request.method ?? "GET",
    ...splitVendor(fullPath, root),
    fullPath,
    query,
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

function splitUrl(url: string): { readonly fullPath: string; readonly query: string } {
  const queryStart = url.indexOf("?");
  return queryStart === -1
    ? { fullPath: url, query: "" }
    : { fullPath: url.slice(0, queryStart), query: url.slice(queryStart + 1) };
}

function splitVendor(fullPath: string, root: string): { readonly vendor: string; readonly path: string } {
  const [, vendor = "", path = ""] = /^\/([^/]*)(.*)$/.exec(fullPath) ?? [];
  const isPicture = vendor === PICTURES;
  return root === "" || isPicture ? { vendor, path: path || "/" } : { vendor: root, path: fullPath };
}

export type RecordTest = (record: RequestRecord) => boolean;

interface Waiter {
  test: RecordTest;
  resolve: (record: RequestRecord) => void;
}

/** Latest requests, oldest first, and waiters for changes of their records. */
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

  announce(record: RequestRecord): void {
    for (const waiter of this.#waiters) {
      if (waiter.test(record)) waiter.resolve(record);
    }
  }

  /** Returns the first record that passes the test, now or later. Rejects after `timeoutMs`. */
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
        reject(new Error(`the stub server saw no ${what} within ${timeoutMs} ms`));
      }, timeoutMs);
      this.#waiters.add(waiter);
    });
  }
}
