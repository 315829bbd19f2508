import { AccountMemory, type AccountUse } from "./account-memory.ts";

/** Callbacks of a claim. None of them may throw. */
export interface ClaimOwner {
  readonly userId: number;
  resume(): void;
  /** Time since the caller last made progress, in ms; 0 while it makes progress. */
  stalledMs(): number;
  /** Other claims wait for this memory: the owner must end and release. */
  abort(): void;
}

export interface MemoryClaim {
  /** Adds bytes to the claim. False: the owner must take no more until it is resumed. */
  take(bytes: number): boolean;
  give(bytes: number): void;
  release(): void;
}

const STALL_CHECK_MS = 500;
/** A claim stalled for this long is aborted if an account that uses less waits. */
const STALLED_BEFORE_OTHERS_MS = 2_000;
/** The same if only the claim's own account waits. */
const STALLED_BEFORE_OWN_MS = 10_000;

interface Claim {
  readonly owner: ClaimOwner;
  bytes: number;
  use: AccountUse | undefined;
  isWaiting: boolean;
  index: number;
}

/**
 * A claim that does not fit waits. One claim at a time may exceed the budget, so a started response always finishes.
 * Peak use is the budget plus one claim.
 */
export class MemoryBudget {
  readonly bytes: number;
  readonly #memory: AccountMemory;
  /** All claims above 0 bytes. A list for the same reason as in `InFlightRequests`. */
  readonly #claims: Claim[] = [];
  #waiting = 0;
  /** The claim that may exceed the budget. Its bytes are not counted in `#memory`. */
  #excess: Claim | undefined;
  #stallCheck: NodeJS.Timeout | undefined;

  constructor(bytes: number) {
    this.bytes = bytes;
    this.#memory = new AccountMemory(bytes);
  }

  get taken(): number {
    return this.#memory.taken + (this.#excess?.bytes ?? 0);
  }

  claim(owner: ClaimOwner): MemoryClaim {
    const claim: Claim = { owner, bytes: 0, use: undefined, isWaiting: false, index: 0 };
    return {
      take: (bytes) => this.#take(claim, bytes),
      give: (bytes) => this.#give(claim, bytes),
      release: () => this.#give(claim, claim.bytes),
    };
  }

  #take(claim: Claim, bytes: number): boolean {
    const use = (claim.use ??= this.#enter(claim));
    claim.bytes += bytes;
    if (claim === this.#excess) return true;
    this.#memory.add(use, bytes);
    if (claim.isWaiting) return false;
    if (this.#memory.isWithin(use)) return true;
    if (this.#excess === undefined) {
      this.#letExceed(claim, use);
      return true;
    }
    claim.isWaiting = true;
    this.#waiting += 1;
    this.#stallCheck ??= setInterval(() => this.#abortStalled(), STALL_CHECK_MS).unref();
    return false;
  }

  #give(claim: Claim, bytes: number): void {
    const { use } = claim;
    if (use === undefined) return;
    claim.bytes -= bytes;
    if (claim !== this.#excess) this.#memory.add(use, -bytes);
    if (claim.bytes === 0) this.#remove(claim);
    else if (claim === this.#excess) this.#countAgain(claim);
    this.#resumeWaiting();
  }

  #enter(claim: Claim): AccountUse {
    claim.index = this.#claims.push(claim) - 1;
    return this.#memory.useOf(claim.owner.userId);
  }

  #remove(claim: Claim): void {
    claim.use = undefined;
    if (claim === this.#excess) this.#excess = undefined;
    if (claim.isWaiting) this.#stopWaiting(claim);
    const last = this.#claims.pop();
    if (last === undefined || last === claim) return;
    last.index = claim.index;
    this.#claims[claim.index] = last;
  }

  #letExceed(claim: Claim, use: AccountUse): void {
    this.#excess = claim;
    this.#memory.add(use, -claim.bytes);
  }

  /** Counts the excess claim once it fits, so that another claim may exceed the budget. */
  #countAgain(claim: Claim): void {
    claim.use = this.#memory.useOf(claim.owner.userId);
    if (this.#memory.take(claim.use, claim.bytes)) this.#excess = undefined;
  }

  #stopWaiting(claim: Claim): void {
    claim.isWaiting = false;
    this.#waiting -= 1;
    if (this.#waiting > 0) return;
    clearInterval(this.#stallCheck);
    this.#stallCheck = undefined;
  }

  #resumeWaiting(): void {
    while (this.#waiting > 0) {
      const next = this.#nextWaiting();
      if (next?.use === undefined) return;
      if (!this.#memory.isWithin(next.use)) {
        if (this.#excess !== undefined) return;
        this.#letExceed(next, next.use);
      }
      this.#stopWaiting(next);
      next.owner.resume();
    }
  }

  /** Returns the first waiting claim of the account that uses least. */
  #nextWaiting(): Claim | undefined {
    let next: Claim | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const claim of this.#claims) {
      const used = claim.isWaiting ? this.#usedBy(claim) : least;
      if (used >= least) continue;
      next = claim;
      least = used;
    }
    return next;
  }

  #usedBy({ use, owner }: Claim): number {
    const excess = this.#excess?.owner.userId === owner.userId ? this.#excess.bytes : 0;
    return (use?.bytes ?? 0) + excess;
  }

  #abortStalled(): void {
    const waiting = this.#claims.filter(({ isWaiting }) => isWaiting);
    const least = Math.min(...waiting.map((claim) => this.#usedBy(claim)));
    const users = new Set(waiting.map(({ owner }) => owner.userId));
    const [worst] = this.#claims
      .map((claim) => ({ claim, used: this.#usedBy(claim), stalledMs: claim.owner.stalledMs() }))
      .filter(({ claim, used, stalledMs }) => {
        if (used > least) return stalledMs >= STALLED_BEFORE_OTHERS_MS;
        return users.has(claim.owner.userId) && stalledMs >= STALLED_BEFORE_OWN_MS;
      })
      .toSorted((a, b) => b.used - a.used || b.stalledMs - a.stalledMs);
    worst?.claim.owner.abort();
  }
}
