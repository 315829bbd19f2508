import { guesserOfAddress } from "../../platform/network/network-of-address.ts";
import { RelayError } from "../errors/index.ts";
import { unknownKey } from "./authenticate-token.ts";

const MAX_WRONG_KEYS = 30;
const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

interface Failures {
  count: number;
  readonly endsMs: number;
}

/** Unknown API keys by address, IPv6 by /64, in this process. A known key is never counted or refused. */
export class WrongKeys {
  readonly #byAddress = new Map<string, Failures>();

  /** `nowMs` is monotonic. */
  refuse(address: string, nowMs: number): RelayError {
    const { count, endsMs } = this.#count(guesserOfAddress(address), nowMs);
    if (count <= MAX_WRONG_KEYS) return unknownKey();
    const retryAfterSeconds = Math.max(1, Math.ceil((endsMs - nowMs) / 1000));
    return new RelayError({
      status: 429,
      type: "invalid_request_error",
      code: "too_many_wrong_keys",
      message: `This API key is not known here, as ${MAX_WRONG_KEYS} others from your address in the last minute. Correct the key and try again in ${retryAfterSeconds} seconds.`,
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
    // The map is in the order of the windows' ends.
    this.#byAddress.delete(guesser);
    this.#byAddress.set(guesser, started);
    const [first] = this.#byAddress.keys();
    if (this.#byAddress.size > MAX_ADDRESSES && first !== undefined) this.#byAddress.delete(first);
    return started;
  }
}
