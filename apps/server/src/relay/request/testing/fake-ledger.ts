import type { Ledger, Reservation, ReserveOutcome, SettleCallback, Settlement } from "@one-api/ledger/ledger";

/** How a call of the ledger ends: at once, when a test says so, or with an error. */
export type Ending = "now" | "later" | Error;

/** A ledger that answers as a test says. */
export class FakeLedger implements Pick<Ledger, "reserve" | "settle" | "release" | "available"> {
  reserving: Ending = "now";
  settling: Ending = "now";
  /** What a reservation becomes. */
  outcome: ReserveOutcome = { ok: true };
  /** False: the server was declared dead, and nothing is left to settle. */
  isLive = true;
  balance = 1_000_000;
  readonly reservations: Reservation[] = [];
  readonly settlements: Settlement[] = [];
  readonly released: string[] = [];
  #reserved: (() => void) | undefined;
  #settled: (() => void) | undefined;

  reserve(reservation: Reservation): ReserveOutcome | Promise<ReserveOutcome> {
    this.reservations.push(reservation);
    const { reserving, outcome } = this;
    if (reserving === "now") return outcome;
    if (reserving === "later") return new Promise((resolve) => (this.#reserved = () => resolve(outcome)));
    return Promise.reject(reserving);
  }

  settle(settlement: Settlement, done: SettleCallback): void {
    this.settlements.push(settlement);
    const { settling } = this;
    if (settling instanceof Error) return done(settling, undefined);
    const commit = () => done(undefined, { settled: this.isLive, charged: settlement.charge ?? 0 });
    if (settling === "now") commit();
    else this.#settled = commit;
  }

  release({ requestId }: { readonly requestId: string }): void {
    this.released.push(requestId);
  }

  available(): Promise<number> {
    return Promise.resolve(this.balance);
  }

  /** The reservation under way is answered. */
  answer(): void {
    this.#reserved?.();
  }

  /** The settlement under way is committed. */
  commit(): void {
    const settled = this.#settled;
    // A ledger calls back once.
    this.#settled = undefined;
    settled?.();
  }
}
