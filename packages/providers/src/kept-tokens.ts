import { createHash } from "node:crypto";

/** What a provider gives for a key, for a while. */
export interface AccessToken {
  readonly text: string;
  readonly expiresAtMs: number;
}

/** A key's token, from when on it is to be replaced, and the exchange that is under way. */
interface Kept {
  token: AccessToken | undefined;
  renewAtMs: number;
  exchange: Promise<AccessToken> | undefined;
}

/** A token is replaced while it still serves in the last tenth of its life, and no earlier than so long before its end, in ms. */
const AHEAD_MS = 60 * 60 * 1_000;
/** A token that ends within this time is not used any more, in ms. */
const LEAST_MS = 30 * 1_000;

/** The tokens that keys of channels were exchanged for, one exchange at a time for each key; no more than so many are known. */
export class KeptTokens {
  readonly #byKey = new Map<string, Kept>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * The token of a key, by exchange where none is known or it has ended. One that ends soon is given, and replaced meanwhile. `key` names provider and
   * key, and is kept as a hash alone. Rejects as the exchange does.
   */
  async get(key: string, nowMs: () => number, exchange: () => Promise<AccessToken>): Promise<string> {
    const kept = this.#find(key);
    const { token, renewAtMs } = kept;
    if (token === undefined || token.expiresAtMs - nowMs() < LEAST_MS) {
      return (await this.#exchange(kept, nowMs, exchange)).text;
    }
    // Where that fails, the next call tries again.
    if (nowMs() >= renewAtMs) void this.#exchange(kept, nowMs, exchange).catch(() => undefined);
    return token.text;
  }

  /** Forgets a token that the provider has refused, unless it was replaced since. */
  forget(key: string, text: string): void {
    const kept = this.#find(key);
    if (kept.token?.text === text) kept.token = undefined;
  }

  #find(key: string): Kept {
    const name = createHash("sha256").update(key).digest("base64");
    const known = this.#byKey.get(name);
    if (known !== undefined) return known;
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size >= this.#most && oldest !== undefined) this.#byKey.delete(oldest);
    const kept: Kept = { token: undefined, renewAtMs: 0, exchange: undefined };
    this.#byKey.set(name, kept);
    return kept;
  }

  #exchange(kept: Kept, nowMs: () => number, exchange: () => Promise<AccessToken>): Promise<AccessToken> {
    const keep = (token: AccessToken): AccessToken => {
      const lifeMs = token.expiresAtMs - nowMs();
      kept.token = token;
      kept.renewAtMs = token.expiresAtMs - Math.min(AHEAD_MS, lifeMs / 10);
      return token;
    };
    kept.exchange ??= exchange()
      .then(keep)
      .finally(() => (kept.exchange = undefined));
    return kept.exchange;
  }
}
