import { AccountMemory, type AccountUse } from "./account-memory.ts";

/** Who holds bytes that wait for something. None of these may throw. */
export interface MemoryHolder {
  readonly userId: number;
  /** It may take more, after it had to wait. */
  goOn(): void;
  /** For how long its caller has done next to nothing for what is held to leave, in ms; 0 while it does. */
  stalledMs(): number;
  /** Others wait for its room: it has to end, and to release. */
  cut(): void;
}

/** Room that one holder has among all. */
export interface MemoryClaim {
  /** Takes room for so many bytes more. False: the holder must wait until it is told to go on. */
  take(bytes: number): boolean;
  /** Gives so many bytes back. */
  give(bytes: number): void;
  /** Gives everything back; again changes nothing. */
  release(): void;
}

/** Between two looks whether somebody keeps room for nothing, while others wait, in ms. */
const LOOK_MS = 500;
/** Whoever has stalled for so long is cut where an account waits that holds less, in ms. */
const STALLED_BEFORE_OTHERS_MS = 2_000;
/** Where only its own account waits, in ms: it does harm to nobody else. */
const STALLED_BEFORE_OWN_MS = 10_000;

/** A holder's bytes. */
interface Claim {
  readonly holder: MemoryHolder;
  bytes: number;
  /** Of the account, while something is held. */
  share: AccountUse | undefined;
  isWaiting: boolean;
  /** Where it stands in the list. */
  index: number;
}

/**
 * Room in memory for what waits there, shared by accounts. Whoever finds none waits, but for one holder, who goes on beside the room, so that whoever
 * has begun comes to its end and nobody waits for nobody: at the most the room and one holder's bytes are taken. While somebody waits, holders whose
 * callers do nothing are cut, those of the account that holds most first.
 */
export class MemoryBudget {
  readonly #room: AccountMemory;
  /** All that hold something, in a list: see `ActiveRelays`. */
  readonly #claims: Claim[] = [];
  #waiting = 0;
  #goesOn: Claim | undefined;
  #looking: NodeJS.Timeout | undefined;

  constructor(bytes: number) {
    this.#room = new AccountMemory(bytes);
  }

  /** Bytes that are held by everybody. */
  get taken(): number {
    return this.#room.taken + (this.#goesOn?.bytes ?? 0);
  }

  /** A holder's room, none at first. */
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

  /** Whoever goes on beside the room, and has given back, makes place for the next one as soon as the room has place. */
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

  /** Lets those go on for whom there is room now, and one more. */
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

  /** Of those that wait, the first of the account that holds least. */
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

  /** What the claim's account holds in all, in bytes. */
  #heldBy({ share, holder }: Claim): number {
    const beside = this.#goesOn?.holder.userId === holder.userId ? this.#goesOn.bytes : 0;
    return (share?.held ?? 0) + beside;
  }

  /** One at a look: what it held may be enough. */
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
