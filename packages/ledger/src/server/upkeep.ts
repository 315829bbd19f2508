import { byAccount } from "../accounts.ts";
import type { ServerPlace } from "../ledger.ts";
import { recoverOwner } from "../recover.ts";
import type { OwnerRow } from "../storage/storage.ts";
import type { Acquirer } from "./acquirer.ts";
import type { Session } from "./session.ts";
import type { Share, ShareTable } from "./share-table.ts";

/** Another server is dead when its heartbeat has not changed in this many reads over DEAD_MS of this server's monotonic clock, in ms. */
const DEAD_READS = 6;
const DEAD_MS = 30_000;
/** A server without a heartbeat for this time, in ms, is not waited for. */
const SILENT_MS = 10_000;

/** Ids of the journal that are applied by one statement. Others for shares run in between: requests may wait for them. */
const APPLY_IDS = 2_000;

const RETURN_BATCH = 500;

interface Seen {
  heartbeat: number;
  since: number;
  reads: number;
}

export class Upkeep {
  readonly #session: Session;
  readonly #shares: ShareTable;
  readonly #seen = new Map<number, Seen>();
  #applying: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #place: ServerPlace = { index: 0, count: 1 };

  constructor(session: Session, shares: ShareTable) {
    this.#session = session;
    this.#shares = shares;
  }

  readonly isSilent = (ownerId: number): boolean => {
    const seen = this.#seen.get(ownerId);
    return seen !== undefined && this.#session.clock.monotonicMs() - seen.since >= SILENT_MS;
  };

  /** This server's place among the live servers at the last look, without silent ones. */
  get place(): ServerPlace {
    return this.#place;
  }

  /** Subtracts the charges that were in the journal at the call from this server's shares. */
  apply(): Promise<void> {
    this.#next ??= this.#applying
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#applying = this.#apply();
        return this.#applying;
      });
    return this.#next;
  }

  async #apply(): Promise<void> {
    await this.#session.live();
    const { acknowledgedId } = this.#session;
    if (acknowledgedId > this.#session.appliedId)
      await this.#shares.apply(async () => {
        while (await this.#applyNext(acknowledgedId));
      });
    await this.#skip();
  }

  /** Applies the next ids up to the last one. False once all are applied. */
  #applyNext(last: number): Promise<boolean> {
    return this.#session.onShares(async (owner) => {
      const { appliedId, storage } = this.#session;
      // Doubt has ended in between, with everything applied.
      if (appliedId >= last) return false;
      const to = Math.min(last, appliedId + APPLY_IDS);
      await storage.apply(owner, appliedId, to);
      this.#session.appliedId = to;
      return to < last;
    });
  }

  /** Leaves the rows of other servers behind while this one is idle, so that the next apply need not read them. */
  async #skip(): Promise<void> {
    const session = this.#session;
    if (session.storage.isExclusive || !session.isJournalIdle || session.acknowledgedId > session.appliedId) return;
    await session.onJournal(async (owner) => {
      if (session.acknowledgedId > session.appliedId) return;
      session.appliedId = await session.storage.skip(owner, session.appliedId);
      session.acknowledgedId = session.appliedId;
    });
  }

  /** Returns what no request has used since the last call, and forgets shares with nothing in them. */
  async returnIdle(acquirer: Acquirer): Promise<void> {
    const idle: Share[] = [];
    for (const share of this.#shares.all()) {
      if (share.isUsed || share.reserved !== 0 || share.unapplied !== 0) share.isUsed = false;
      else if (share.known === 0) this.#shares.drop(share);
      else idle.push(share);
    }
    for (let at = 0; at < idle.length; at += RETURN_BATCH)
      await acquirer.returnLeftovers(idle.slice(at, at + RETURN_BATCH).toSorted(byAccount));
  }

  /** Returns idle quota of accounts that other servers need, where a notification was missed. */
  async answerReclaims(acquirer: Acquirer): Promise<void> {
    const accounts = await this.#session.onShares((owner) => this.#session.storage.readScarce(owner));
    if (accounts.length > 0) await acquirer.answerReclaim(accounts);
  }

  /** Declares servers dead that are silent for too long, and recovers what dead ones left. Returns how many requests were charged. */
  async observe(): Promise<number> {
    const { storage, owner } = this.#session;
    if (storage.isExclusive) return 0;
    const others = (await this.#readOwners()).filter(({ id }) => id !== owner.id);
    this.#forgetGone(others);
    for (const other of others)
      if (other.state === "live" && this.#isDead(other)) await storage.declareDead(other, other.heartbeat);
    this.#place = this.#placeAmong(others);
    let charged = 0;
    for (const other of await this.#readOwners())
      if (other.id !== this.#session.owner.id && other.state !== "live") charged += await recoverOwner(storage, other);
    return charged;
  }

  #placeAmong(others: readonly OwnerRow[]): ServerPlace {
    const live = others.filter(({ id, state }) => state === "live" && !this.isSilent(id));
    return { index: live.filter(({ id }) => id < this.#session.owner.id).length, count: live.length + 1 };
  }

  #readOwners(): Promise<readonly OwnerRow[]> {
    return this.#session.onShares(() => this.#session.storage.readOwners());
  }

  #forgetGone(others: readonly OwnerRow[]): void {
    const ids = new Set(others.map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id);
  }

  #isDead({ id, heartbeat }: OwnerRow): boolean {
    const now = this.#session.clock.monotonicMs();
    const seen = this.#seen.get(id);
    if (seen === undefined || seen.heartbeat !== heartbeat) {
      this.#seen.set(id, { heartbeat, since: now, reads: 1 });
      return false;
    }
    seen.reads += 1;
    return seen.reads >= DEAD_READS && now - seen.since >= DEAD_MS;
  }
}
