import type { Reservation } from "../ledger.ts";
import type { LeaseOf, LeaseReturn, LeaseWish } from "./lease-statements.ts";

/** What this process has set aside in advance for a user and one of its tokens. */
export interface Lease extends LeaseOf {
  /** Set aside in the database, in quota. */
  amount: number;
  /** Of that for requests in flight. */
  open: number;
  /** As what the caller is known; undefined from a change on until a reservation was let in again. */
  version: number | undefined;
  /** The count of all callers' changes at the caller's last one. */
  changedAt: number;
  /** Nothing more is given to requests; when none is open all of it goes back. */
  isClosing: boolean;
  /** Its row says that it is closed: others need not ask for what no request needs. */
  isToldClosed: boolean;
  /** What its row says is not known, as the outcome of a commit is not; it is closing then. */
  isUncertain: boolean;
  /** A statement about it is under way. */
  isBusy: boolean;
  /** Nothing more is set aside before, in ms of the monotonic clock. */
  restsUntilMs: number;
  /** Looks since a request was last let in. */
  unusedLooks: number;
}

/** What is asked of the database for a lease. */
export interface Wish extends LeaseWish {
  readonly lease: Lease;
  /** The count of all callers' changes when it was made. */
  readonly madeAt: number;
}

/** So many requests like the one before it are paid for in advance at first; each time that it is not enough the lease doubles. */
const REQUESTS_AHEAD = 4;
/** After so many looks without a request a lease goes back. */
const UNUSED_LOOKS = 5;
/** Whose lease was refused, or called back, pays a row for each request for so long, in ms. */
const REST_MS = 60_000;
/** So many accounts are remembered; whoever comes then pays a row for each request until others have gone. */
const MOST_LEASES = 100_000;

/** The leases of a process: which requests they pay for, and what is to be taken or to go back. Nothing here asks the database. */
export class LeaseBook {
  readonly #users = new Map<number, Map<number, Lease>>();
  readonly #wishes = new Map<number, Wish>();
  #size = 0;
  #changes = 0;

  /** Counts the changes of callers that were heard of. */
  get changes(): number {
    return this.#changes;
  }

  get size(): number {
    return this.#size;
  }

  get hasWishes(): boolean {
    return this.#wishes.size > 0;
  }

  /** Sets quota aside for a request in a lease; undefined where none pays for it. */
  hold({ userId, tokenId, tokenUnlimited, amount, callerVersion }: Reservation): Lease | undefined {
    const lease = this.#users.get(userId)?.get(tokenId);
    if (lease === undefined || lease.isClosing || lease.tokenUnlimited !== tokenUnlimited) return undefined;
    if (lease.version === undefined || (callerVersion !== undefined && callerVersion !== lease.version))
      return undefined;
    if (lease.amount - lease.open < amount) return undefined;
    lease.open += amount;
    lease.unusedLooks = 0;
    return lease;
  }

  /** A request that a lease paid for has ended. Returns whether the lease can go back now. */
  free(lease: Lease, amount: number): boolean {
    lease.open -= amount;
    return lease.isClosing && lease.open === 0;
  }

  /**
   * Learns from a reservation that was granted by a row, `changes` being the count when it was asked for: a caller who comes again gets a lease, or
   * one of twice the size.
   */
  noteReserved(reservation: Reservation, changes: number, nowMs: number): void {
    const { userId, tokenId, tokenUnlimited, amount, callerVersion: version } = reservation;
    if (version === undefined) return;
    const lease = this.#leaseOf(reservation);
    if (lease === undefined) return;
    if (lease.tokenUnlimited !== tokenUnlimited) lease.isClosing = true;
    if (lease.changedAt > changes) return;
    const isKnown = lease.version === version;
    lease.version = version;
    lease.unusedLooks = 0;
    // Whoever comes for the first time may be the last; and where enough is set aside, it could not be used just now.
    if (!isKnown || lease.amount - lease.open >= Math.max(1, amount)) return;
    if (lease.isBusy || lease.isClosing || lease.restsUntilMs > nowMs) return;
    const more = Math.max(lease.amount, amount * REQUESTS_AHEAD);
    if (more === 0 || this.#wishes.has(userId)) return;
    this.#wishes.set(userId, { userId, tokenId, tokenUnlimited, amount: more, version, lease, madeAt: this.#changes });
  }

  /** Takes the wishes that still hold, of which no user has two. */
  takeWishes(most: number): Wish[] {
    const taken = [...this.#wishes.values()].slice(0, most);
    for (const { userId } of taken) this.#wishes.delete(userId);
    const wishes = taken.filter(({ lease }) => !lease.isBusy && !lease.isClosing);
    for (const { lease } of wishes) lease.isBusy = true;
    return wishes;
  }

  /** Forgets the wishes. */
  forgetWishes(): void {
    this.#wishes.clear();
  }

  /** Says what became of a wish. Returns whether some of the lease has to go back, as it was called back meanwhile. */
  noteWish(
    { lease, amount, version, madeAt }: Wish,
    outcome: "granted" | "refused" | "unknown",
    nowMs: number,
  ): boolean {
    lease.isBusy = false;
    if (outcome === "unknown") this.doubt(lease);
    if (outcome !== "granted") {
      lease.restsUntilMs = nowMs + REST_MS;
      return false;
    }
    lease.amount += amount;
    lease.isToldClosed = false;
    if (lease.changedAt <= madeAt) lease.version = version;
    return lease.isClosing;
  }

  /** Some of the lease was needed to pay for what nothing else paid for: there is little left. */
  noteUsed(lease: Lease, amount: number, nowMs: number): void {
    lease.amount = Math.max(0, lease.amount - amount);
    lease.restsUntilMs = nowMs + REST_MS;
    lease.isClosing = true;
  }

  /** What its row says is not known any more. */
  doubt(lease: Lease): void {
    [lease.isUncertain, lease.isClosing] = [true, true];
  }

  /** A caller has changed: until a reservation has asked the database about it, no lease pays for its requests. */
  noteChange(userId: number): void {
    this.#changes += 1;
    for (const lease of this.#users.get(userId)?.values() ?? []) {
      lease.version = undefined;
      lease.changedAt = this.#changes;
    }
  }

  /** Closes what is set aside in advance for the user, and sets nothing aside for a while. */
  close(userId: number, nowMs: number): void {
    this.#wishes.delete(userId);
    for (const lease of this.#users.get(userId)?.values() ?? []) {
      lease.restsUntilMs = nowMs + REST_MS;
      if (lease.amount > 0 || lease.isBusy || lease.isUncertain) lease.isClosing = true;
    }
  }

  /** The user's closed leases of which something can go back, what no request in flight needs, or that others take for open. */
  unusedOf(userId: number): Lease[] {
    return [...(this.#users.get(userId)?.values() ?? [])].filter(
      ({ amount, open, isClosing, isToldClosed, isUncertain, isBusy }) =>
        isClosing && !isBusy && (isUncertain ? open === 0 : amount > open || !isToldClosed),
    );
  }

  /** Changes may have been missed: no caller is known as it is. */
  noteGap(): void {
    this.#changes += 1;
    for (const lease of this.#all()) [lease.version, lease.changedAt] = [undefined, this.#changes];
  }

  /** Nobody knows what others have left of any lease: this process was taken for dead. */
  doubtAll(): void {
    for (const lease of this.#all()) this.doubt(lease);
  }

  /** Looks at all leases, and returns those that go back: unused for a while, or closed with nothing open. Forgets what stands for nothing. */
  look(nowMs: number): Lease[] {
    const idle: Lease[] = [];
    for (const [userId, ofUser] of this.#users) {
      for (const [tokenId, lease] of ofUser) {
        lease.unusedLooks += 1;
        if (lease.open > 0 || lease.isBusy) continue;
        if (lease.isClosing || (lease.amount > 0 && lease.unusedLooks > UNUSED_LOOKS)) idle.push(lease);
        else if (isEmpty(lease) && lease.unusedLooks > UNUSED_LOOKS && lease.restsUntilMs <= nowMs) {
          ofUser.delete(tokenId);
          this.#size -= 1;
        }
      }
      if (ofUser.size === 0) this.#users.delete(userId);
    }
    return idle;
  }

  /** Every lease, for the end of the process: all of them go back. */
  closeAll(): Lease[] {
    const all = [...this.#all()].filter(({ amount, isUncertain, isBusy }) => (amount > 0 || isUncertain) && !isBusy);
    for (const lease of all) lease.isClosing = true;
    return all;
  }

  /** What of a lease goes back now; nothing more is given to requests until it has. */
  startReturn(lease: Lease): LeaseReturn {
    const { userId, tokenId, tokenUnlimited, open, isUncertain } = lease;
    [lease.isBusy, lease.isClosing] = [true, true];
    // A row of which nobody knows what it says goes as a whole, once nothing counts on it.
    const amount = open === 0 ? undefined : isUncertain ? 0 : lease.amount - open;
    return { userId, tokenId, tokenUnlimited, amount };
  }

  /**
   * Says what went back; undefined: nobody knows. Returns whether the rest can go back now. A row that may still come, as its statement was under way when
   * its connection broke, is looked for once more at each look, for as long as the lease rests.
   */
  noteReturn(lease: Lease, wasAll: boolean, returned: number | undefined, nowMs: number): boolean {
    lease.isBusy = false;
    if (returned === undefined) this.doubt(lease);
    else if (wasAll && lease.isUncertain && returned === 0 && lease.restsUntilMs > nowMs) return false;
    else if (wasAll) [lease.amount, lease.isClosing, lease.isToldClosed, lease.isUncertain] = [0, false, false, false];
    else {
      lease.isToldClosed = true;
      if (!lease.isUncertain) lease.amount -= returned;
    }
    return returned !== undefined && !wasAll && lease.open === 0;
  }

  #leaseOf({ userId, tokenId, tokenUnlimited }: LeaseOf): Lease | undefined {
    let ofUser = this.#users.get(userId);
    const found = ofUser?.get(tokenId);
    if (found !== undefined && (found.tokenUnlimited === tokenUnlimited || !isEmpty(found))) return found;
    if (found === undefined && this.#size >= MOST_LEASES) return undefined;
    if (ofUser === undefined) this.#users.set(userId, (ofUser = new Map<number, Lease>()));
    const lease: Lease = {
      userId,
      tokenId,
      tokenUnlimited,
      amount: 0,
      open: 0,
      version: undefined,
      // Changes of callers without a lease are not noted for each: any of them may have been this one's.
      changedAt: this.#changes,
      isClosing: false,
      isToldClosed: false,
      isUncertain: false,
      isBusy: false,
      restsUntilMs: 0,
      unusedLooks: 0,
    };
    ofUser.set(tokenId, lease);
    if (found === undefined) this.#size += 1;
    return lease;
  }

  *#all(): Generator<Lease> {
    for (const ofUser of this.#users.values()) yield* ofUser.values();
  }
}

/** Nothing in the database stands behind it. */
function isEmpty({ amount, open, isUncertain, isBusy }: Lease): boolean {
  return amount === 0 && open === 0 && !isUncertain && !isBusy;
}
