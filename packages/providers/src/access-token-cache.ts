import { createHash } from "node:crypto";

export interface AccessToken {
  readonly text: string;
  readonly expiresAtMs: number;
}

interface CacheEntry {
  token: AccessToken | undefined;
  renewAtMs: number;
  exchange: Promise<AccessToken> | undefined;
}

/** Longest time before its end at which a token is renewed, in ms. Renewal begins in the last tenth of its life. */
const AHEAD_MS = 60 * 60 * 1_000;
/** A token is unused within this time before its end, in ms. */
const LEAST_MS = 30 * 1_000;

/** Tokens that channel keys were exchanged for. One exchange at a time per key; the number of tokens is limited. */
export class AccessTokenCache {
  readonly #byKey = new Map<string, CacheEntry>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Returns the token of a key, exchanging the key if necessary; renews in the background near its end. Only a hash of `key` (provider and
   * key) is stored. Rejects as the exchange does.
   */
  async get(key: string, nowMs: () => number, exchange: () => Promise<AccessToken>): Promise<string> {
    const entry = this.#find(key);
    const { token, renewAtMs } = entry;
    if (token === undefined || token.expiresAtMs - nowMs() < LEAST_MS) {
      return (await this.#exchange(entry, nowMs, exchange)).text;
    }
    // The next call retries a failed renewal.
    if (nowMs() >= renewAtMs) void this.#exchange(entry, nowMs, exchange).catch(() => undefined);
    return token.text;
  }

  /** Removes a token that the provider refused, unless it was replaced since. */
  forget(key: string, text: string): void {
    const entry = this.#find(key);
    if (entry.token?.text === text) entry.token = undefined;
  }

  #find(key: string): CacheEntry {
    const name = createHash("sha256").update(key).digest("base64");
    const known = this.#byKey.get(name);
    if (known !== undefined) return known;
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size >= this.#most && oldest !== undefined) this.#byKey.delete(oldest);
    const entry: CacheEntry = { token: undefined, renewAtMs: 0, exchange: undefined };
    this.#byKey.set(name, entry);
    return entry;
  }

  #exchange(entry: CacheEntry, nowMs: () => number, exchange: () => Promise<AccessToken>): Promise<AccessToken> {
    const store = (token: AccessToken): AccessToken => {
      const lifeMs = token.expiresAtMs - nowMs();
      entry.token = token;
      entry.renewAtMs = token.expiresAtMs - Math.min(AHEAD_MS, lifeMs / 10);
      return token;
    };
    entry.exchange ??= exchange()
      .then(store)
      .finally(() => (entry.exchange = undefined));
    return entry.exchange;
  }
}
