import type { AccessTokenCache } from "./access-token-cache.ts";

export interface ProviderQuestion {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Until the answer begins, in ms. Default: long enough for an upload. */
  readonly timeoutMs?: number;
}

export interface ProviderReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export interface UploadedFile {
  readonly uri: string;
  readonly expiresAtMs: number;
  remove(): Promise<unknown>;
}

/** Files that the gateway stores at providers, by name; their number is limited. */
export class UploadedFileCache {
  readonly #files = new Map<string, UploadedFile>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the file if it stays stored for another `forMs`. */
  find(name: string, nowMs: number, forMs: number): UploadedFile | undefined {
    const file = this.#files.get(name);
    return file !== undefined && file.expiresAtMs - forMs > nowMs ? file : undefined;
  }

  store(name: string, file: UploadedFile): void {
    const before = this.#files.get(name);
    this.#files.delete(name);
    this.#files.set(name, file);
    if (before !== undefined) forget(before);
    const [oldest] = this.#files;
    if (this.#files.size <= this.#most || oldest === undefined) return;
    this.#files.delete(oldest[0]);
    forget(oldest[1]);
  }

  sweep(nowMs: number): void {
    for (const [name, file] of this.#files) {
      if (file.expiresAtMs > nowMs) continue;
      this.#files.delete(name);
      forget(file);
    }
  }
}

/** A failed deletion is ignored: the provider deletes the file when it expires. */
function forget(file: UploadedFile): void {
  void file.remove().catch(() => undefined);
}

/**
 * Fetches a caller's picture as base64. Rejects with the error for the caller. `takeMemory` reserves memory for the bytes, and throws where the
 * budget is exhausted.
 */
export type FetchPicture = (url: string, takeMemory?: (bytes: number) => void) => Promise<string>;

/** Network, clock and stored files for a provider, which uses no others. */
export interface ProviderIo {
  /** Rejects without a connection, or without an answer in time. */
  ask(question: ProviderQuestion): Promise<ProviderReply>;
  readonly fetchPicture: FetchPicture;
  nowMs(): number;
  wait(ms: number): Promise<void>;
  readonly files: UploadedFileCache;
  readonly tokens: AccessTokenCache;
}
