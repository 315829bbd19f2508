import { guesserOfAddress } from "../../platform/network/network-of-address.ts";
import { RelayError } from "../errors/index.ts";
import { unknownKey } from "./authenticate-token.ts";

/** Wrong keys that one address may send in a window before it is told to wait. */
const MOST_WRONG_KEYS = 30;
const WINDOW_MS = 60_000;
/** Addresses that are counted at once; the oldest are forgotten first. */
const MOST_ADDRESSES = 10_000;

interface Failures {
  count: number;
  readonly endsMs: number;
}

/**
 * Counts unknown API keys by their caller's address, an IPv6 one by its /64, in this process. From the 31st in a minute on the refusal is
 * 429 with Retry-After. A known key is never counted and never refused for the wrong ones of others behind the same address.
 */
export class WrongKeys {
  readonly #byAddress = new Map<string, Failures>();

  /** Counts one and returns what its caller is told. `nowMs` is monotonic. */
  refuse(address: string, nowMs: number): RelayError {
    const { count, endsMs } = this.#count(guesserOfAddress(address), nowMs);
    if (count <= MOST_WRONG_KEYS) return unknownKey();
    const retryAfterSeconds = Math.max(1, Math.ceil((endsMs - nowMs) / 1000));
    return new RelayError({
      status: 429,
      type: "invalid_request_error",
      code: "too_many_wrong_keys",
      message: `This API key is not known here, as ${MOST_WRONG_KEYS} others from your address in the last minute. Correct the key and try again in ${retryAfterSeconds} seconds.`,
      retryAfterSeconds,
    });
  }

  #count(guesser: string, nowMs: number): Failures {
    const known = this.#byAddress.get(guesser);
    if (known !== undefined && nowMs < known.endsMs) {
      known.count += 1;
      return known;
    }
    const started = { count: 1, endsMs: nowMs + WINDOW_MS };
    // The map is in the order of the windows: its first one ends first.
    this.#byAddress.delete(guesser);
    this.#byAddress.set(guesser, started);
    const [first] = this.#byAddress.keys();
    if (this.#byAddress.size > MOST_ADDRESSES && first !== undefined) this.#byAddress.delete(first);
    return started;
  }
}
