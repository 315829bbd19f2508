import { AccountMemory, type AccountUse } from "../../../platform/memory/account-memory.ts";

export const SHORT_BYTES = 64 * 1024;
/** Fraction of the memory that long bodies leave to short ones. */
const SHORT_FRACTION = 1 / 8;
/** Fraction for short bodies that arrive in several chunks, until they are complete. */
const INCOMPLETE_FRACTION = 1 / 4;
const LONG_FREE_MULTIPLE = 2;

/** Memory of all request bodies. Long and incomplete bodies also count for their account. */
export class BodyMemory {
  readonly bytes: number;
  readonly #long: AccountMemory;
  readonly #incomplete: AccountMemory;
  #taken = 0;

  constructor(bytes: number) {
    this.bytes = bytes;
    this.#long = new AccountMemory(bytes * (1 - SHORT_FRACTION), LONG_FREE_MULTIPLE);
    this.#incomplete = new AccountMemory(bytes * INCOMPLETE_FRACTION);
  }

  get taken(): { readonly all: number; readonly byAccount: number } {
    return { all: this.#taken, byAccount: this.#long.taken + this.#incomplete.taken };
  }

  take(bytes: number): boolean {
    if (this.#taken + bytes > this.bytes) return false;
    this.#taken += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#taken -= bytes;
  }

  countFor(userId: number): BodyCount {
    return new BodyCount(userId, this.#incomplete, this.#long);
  }
}

export class BodyCount {
  readonly #userId: number;
  readonly #long: AccountMemory;
  #memory: AccountMemory;
  #use: AccountUse | undefined;
  #bytes = 0;

  constructor(userId: number, incomplete: AccountMemory, long: AccountMemory) {
    this.#userId = userId;
    this.#memory = incomplete;
    this.#long = long;
  }

  /** Adds bytes. False if the account exceeds its limit: then the whole body is released. */
  take(bytes: number): boolean {
    const all = this.#bytes + bytes;
    this.release();
    if (all > SHORT_BYTES) this.#memory = this.#long;
    this.#use = this.#memory.useOf(this.#userId);
    if (!this.#memory.take(this.#use, all)) return false;
    this.#bytes = all;
    return true;
  }

  shrink(bytes: number): void {
    const fewer = Math.min(bytes, this.#bytes);
    if (this.#use !== undefined) this.#memory.add(this.#use, -fewer);
    this.#bytes -= fewer;
  }

  /** A short body no longer counts for its account. */
  complete(): void {
    if (this.#memory !== this.#long) this.release();
  }

  release(): void {
    this.shrink(this.#bytes);
  }
}
