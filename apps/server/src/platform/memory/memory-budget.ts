import { AccountMemory, type AccountUse } from "./account-memory.ts";

/** Owner of buffered bytes. The methods must not throw. */
export interface MemoryHolder {
  readonly userId: number;
  goOn(): void;
  /** Time for which its client has read next to nothing, in ms; 0 while it reads. */
  stalledMs(): number;
  /** Called when others wait for its memory. It must end and release. */
  cut(): void;
}

export interface MemoryClaim {
  /** Claims more bytes. False: the holder must wait for `goOn`. */
  take(bytes: number): boolean;
  give(bytes: number): void;
  /** Releases all bytes. Idempotent. */
  release(): void;
}

const LOOK_MS = 500;
/** A stalled holder is cut after this time if an account that holds less waits. */
const STALLED_BEFORE_OTHERS_MS = 2_000;
/** The same if only their own account waits. */
const STALLED_BEFORE_OWN_MS = 10_000;

interface Claim {
  readonly holder: MemoryHolder;
  bytes: number;
  share: AccountUse | undefined;
  isWaiting: boolean;
  index: number;
}

/**
 * Memory budget for buffered bytes, shared fairly by accounts. A claim that does not fit waits.
 * One claim at a time may exceed the budget, so a started response always finishes.
 */
export class MemoryBudget {
  readonly #room: AccountMemory;
  /** All claims with bytes, as a list: see `ActiveRelays`. */
  readonly #claims: Claim[] = [];
  #waiting = 0;
  #goesOn: Claim | undefined;
  #looking: NodeJS.Timeout | undefined;

  constructor(bytes: number) {
    this.#room = new AccountMemory(bytes);
  }

  get taken(): number {
    return this.#room.taken + (this.#goesOn?.bytes ?? 0);
  }

  claim(holder: MemoryHolder): MemoryClaim {
    const claim: Claim = { holder, bytes: 0, share: undefined, isWaiting: false, index: 0 };
    return {
      take: (bytes) => this.#take(claim, bytes),
      give: (bytes) => this.#give(claim, bytes),
      release: () => this.#give(claim, claim.bytes),
    };
  }

  #take(claim: Claim, bytes: number): boolean {
    const share = (claim.share ??= this.#enter(claim));
    claim.bytes += bytes;
    if (claim === this.#goesOn) return true;
    this.#room.add(share, bytes);
    if (claim.isWaiting) return false;
    if (this.#room.isWithin(share)) return true;
    if (this.#goesOn === undefined) {
      this.#goBeside(claim, share);
      return true;
    }
    claim.isWaiting = true;
    this.#waiting += 1;
    this.#looking ??= setInterval(() => this.#cutStalled(), LOOK_MS).unref();
    return false;
  }

  #give(claim: Claim, bytes: number): void {
    const { share } = claim;
    if (share === undefined) return;
    claim.bytes -= bytes;
    if (claim !== this.#goesOn) this.#room.add(share, -bytes);
    if (claim.bytes === 0) this.#leave(claim);
    else if (claim === this.#goesOn) this.#comeBack(claim);
    this.#wake();
  }

  #enter(claim: Claim): AccountUse {
    claim.index = this.#claims.push(claim) - 1;
    return this.#room.shareOf(claim.holder.userId);
  }

  #leave(claim: Claim): void {
    claim.share = undefined;
    if (claim === this.#goesOn) this.#goesOn = undefined;
    if (claim.isWaiting) this.#stopWaiting(claim);
    const last = this.#claims.pop();
    if (last === undefined || last === claim) return;
    last.index = claim.index;
    this.#claims[claim.index] = last;
  }

  #goBeside(claim: Claim, share: AccountUse): void {
    this.#goesOn = claim;
    this.#room.add(share, -claim.bytes);
  }

  /** Returns the exceeding claim into the budget once it fits, so that another may exceed it. */
  #comeBack(claim: Claim): void {
    claim.share = this.#room.shareOf(claim.holder.userId);
    if (this.#room.take(claim.share, claim.bytes)) this.#goesOn = undefined;
  }

  #stopWaiting(claim: Claim): void {
    claim.isWaiting = false;
    this.#waiting -= 1;
    if (this.#waiting > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  /** Resumes waiting claims that fit now, and one that may exceed the budget. */
  #wake(): void {
    while (this.#waiting > 0) {
      const next = this.#nextWaiting();
      if (next?.share === undefined) return;
      if (!this.#room.isWithin(next.share)) {
        if (this.#goesOn !== undefined) return;
        this.#goBeside(next, next.share);
      }
      this.#stopWaiting(next);
      next.holder.goOn();
    }
  }

  /** The first waiting claim of the account that holds least. */
  #nextWaiting(): Claim | undefined {
    let next: Claim | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const claim of this.#claims) {
      const held = claim.isWaiting ? this.#heldBy(claim) : least;
      if (held >= least) continue;
      next = claim;
      least = held;
    }
    return next;
  }

  #heldBy({ share, holder }: Claim): number {
    const beside = this.#goesOn?.holder.userId === holder.userId ? this.#goesOn.bytes : 0;
    return (share?.held ?? 0) + beside;
  }

  /** Cuts one holder at a time, as its bytes may be enough. */
  #cutStalled(): void {
    const waiting = this.#claims.filter(({ isWaiting }) => isWaiting);
    const least = Math.min(...waiting.map((claim) => this.#heldBy(claim)));
    const users = new Set(waiting.map(({ holder }) => holder.userId));
    const [worst] = this.#claims
      .map((claim) => ({ claim, held: this.#heldBy(claim), stalledMs: claim.holder.stalledMs() }))
      .filter(({ claim, held, stalledMs }) => {
        if (held > least) return stalledMs >= STALLED_BEFORE_OTHERS_MS;
        return users.has(claim.holder.userId) && stalledMs >= STALLED_BEFORE_OWN_MS;
      })
      .toSorted((a, b) => b.held - a.held || b.stalledMs - a.stalledMs);
    worst?.claim.holder.cut();
  }
}
