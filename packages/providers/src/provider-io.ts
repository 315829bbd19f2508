import type { KeptTokens } from "./kept-tokens.ts";

/** A question to a provider beside the request itself. */
export interface ProviderQuestion {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Not sent with a GET. */
  readonly body: Buffer;
  /** Until the answer begins, in ms. Default: long enough for an upload. */
  readonly timeoutMs?: number;
}

/** What came back; the body as text. */
export interface ProviderReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** A file that the gateway keeps at a provider for a while. */
export interface KeptFile {
  readonly uri: string;
  readonly expiresAtMs: number;
  /** Deletes it at the provider. */
  remove(): Promise<unknown>;
}

/** The files that the gateway keeps at providers, by what they are; no more than so many are known. */
export class KeptFiles {
  readonly #files = new Map<string, KeptFile>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The file, while it is there for another `forMs`. */
  find(name: string, nowMs: number, forMs: number): KeptFile | undefined {
    const file = this.#files.get(name);
    return file !== undefined && file.expiresAtMs - forMs > nowMs ? file : undefined;
  }

  /** Keeps one more; of too many the oldest goes. */
  keep(name: string, file: KeptFile): void {
    const before = this.#files.get(name);
    this.#files.delete(name);
    this.#files.set(name, file);
    if (before !== undefined) forget(before);
    const [oldest] = this.#files;
    if (this.#files.size <= this.#most || oldest === undefined) return;
    this.#files.delete(oldest[0]);
    forget(oldest[1]);
  }

  /** Deletes what has expired. */
  sweep(nowMs: number): void {
    for (const [name, file] of this.#files) {
      if (file.expiresAtMs > nowMs) continue;
      this.#files.delete(name);
      forget(file);
    }
  }
}

/** A file that cannot be deleted is deleted by the provider in its own time. */
function forget(file: KeptFile): void {
  void file.remove().catch(() => undefined);
}

/**
 * Fetches a picture that a caller names, as base64. Rejects with what the caller is to be told. `takeRoom` is told of all bytes before they are kept,
 * and throws where there is no room for them.
 */
export type FetchPicture = (url: string, takeRoom?: (bytes: number) => void) => Promise<string>;

/** What a provider may use to make a call: nothing else of the network, the clock or the memory of earlier calls. */
export interface ProviderIo {
  /** Rejects when there is no connection, or no answer in time. */
  ask(question: ProviderQuestion): Promise<ProviderReply>;
  readonly fetchPicture: FetchPicture;
  nowMs(): number;
  /** Resolves after so many ms. */
  wait(ms: number): Promise<void>;
  readonly files: KeptFiles;
  readonly tokens: KeptTokens;
}
