import type { UnixSeconds } from "@one-api/database/column-values";
const MOST_OUTAGES = 20;

/** Time in which the database took no or not all writes. Times are Unix seconds. */
interface Outage {
  readonly startedAt: number;
  endedAt: number;
  failedWrites: number;
  reason: string;
}

interface DatabaseCheck {
  readonly at: UnixSeconds;
  /** Empty if the check's own write succeeded. */
  readonly reason: string;
  readonly failedWrites: number;
}

/** Outages of the database since the start of this process, from periodic checks. */
export class Outages {
  readonly #outages: Outage[] = [];
  #checkedAt = 0;
  #failedWrites = 0;

  get all(): readonly Readonly<Outage>[] {
    return this.#outages;
  }

  note({ at, reason, failedWrites }: DatabaseCheck): void {
    const failed = failedWrites - this.#failedWrites;
    const before = this.#checkedAt;
    this.#failedWrites = failedWrites;
    this.#checkedAt = at;
    const [last] = this.#outages;
    const isOpen = last !== undefined && last.endedAt === 0;
    if (reason === "" && failed === 0) {
      if (isOpen) last.endedAt = at;
      return;
    }
    const endedAt = reason === "" ? at : 0;
    if (last !== undefined && (isOpen || (reason === "" && last.endedAt === before))) {
      last.endedAt = endedAt;
      last.failedWrites += failed;
      if (reason !== "") last.reason = reason;
      return;
    }
    const startedAt = reason === "" && before > 0 ? before : at;
    this.#outages.unshift({ startedAt, endedAt, failedWrites: failed, reason });
    this.#outages.splice(MOST_OUTAGES);
  }
}
