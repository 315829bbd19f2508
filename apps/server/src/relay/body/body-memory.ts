import { AccountMemory, type AccountUse } from "../../platform/memory/account-memory.ts";

/** Bodies up to so many bytes are short. */
export const SHORT_BYTES = 64 * 1024;
/** The part of all room that is left to short bodies. */
const SHORT_PART = 1 / 8;
/** The part in which short bodies are while they come, unless they come at once. */
const COMING_PART = 1 / 4;
/** One account's long bodies take two thirds of the room for long ones. */
const LONG_TIMES_LEFT = 2;

/**
 * Room for all the bodies that are in memory at once. Short ones may take all of it, long ones leave a part; long ones, and those that have not wholly
 * come, are counted by account as well. What comes at once and is short counts for no account, as it costs nothing to hold.
 */
export class BodyMemory {
  readonly #bytes: number;
  readonly #long: AccountMemory;
  readonly #coming: AccountMemory;
  #taken = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#long = new AccountMemory(bytes * (1 - SHORT_PART), LONG_TIMES_LEFT);
    this.#coming = new AccountMemory(bytes * COMING_PART);
  }

  /** Bytes that are taken, and how many of them count for an account. */
  get taken(): { readonly all: number; readonly byAccount: number } {
    return { all: this.#taken, byAccount: this.#long.taken + this.#coming.taken };
  }

  /** False when there is no room for so many bytes more. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#bytes) return false;
    this.#taken += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#taken -= bytes;
  }

  /** Counts a body for its account, beside `take`. */
  countFor(userId: number): BodyCount {
    return new BodyCount(userId, this.#coming, this.#long);
  }
}

/** What of one body counts for its account. */
export class BodyCount {
  readonly #userId: number;
  readonly #long: AccountMemory;
  #room: AccountMemory;
  #share: AccountUse | undefined;
  #bytes = 0;

  constructor(userId: number, coming: AccountMemory, long: AccountMemory) {
    this.#userId = userId;
    this.#room = coming;
    this.#long = long;
  }

  /** Counts so many bytes more. False: the account has too many already, and nothing of the body counts any more. */
  take(bytes: number): boolean {
    const all = this.#bytes + bytes;
    this.release();
    if (all > SHORT_BYTES) this.#room = this.#long;
    this.#share = this.#room.shareOf(this.#userId);
    if (!this.#room.take(this.#share, all)) return false;
    this.#bytes = all;
    return true;
  }

  /** So many bytes of it are gone. */
  shrink(bytes: number): void {
    const fewer = Math.min(bytes, this.#bytes);
    if (this.#share !== undefined) this.#room.add(this.#share, -fewer);
    this.#bytes -= fewer;
  }

  /** All of the body has come: a short one counts no more. */
  came(): void {
    if (this.#room !== this.#long) this.release();
  }

  /** Nothing of it counts any more; again changes nothing. */
  release(): void {
    this.shrink(this.#bytes);
  }
}
