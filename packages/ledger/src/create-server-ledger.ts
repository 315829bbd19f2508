import { DatabaseUnavailableError, outageWaitMs } from "@one-api/database/database-errors";
import type { Listening } from "@one-api/database/dialects/postgres-notices";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type Account, ACCOUNT_KIND } from "./accounts.ts";
import { BatchReservations } from "./batches.ts";
import type { LedgerClock } from "./clock.ts";
import { type Ledger, LedgerClosedError, type ServerPlace } from "./ledger.ts";
import { RECLAIM_CHANNEL } from "./storage/postgres-statements.ts";
import { PostgresStorage } from "./storage/postgres-storage.ts";
import { createQuotaLedger } from "./quota-in-transaction.ts";
import { readAccount } from "./storage/read-rows.ts";
import { recoverOwner } from "./recover.ts";
import { Acquirer } from "./server/acquirer.ts";
import { BudgetWindows } from "./server/budget-windows.ts";
import { Periodic } from "./server/periodic.ts";
import { RequestLedger } from "./server/request-ledger.ts";
import { type DatabaseIsOlderError, Session } from "./server/session.ts";
import { Settler } from "./server/settler.ts";
import { ShareTable } from "./server/share-table.ts";
import { Upkeep } from "./server/upkeep.ts";
import { SqliteStorage } from "./storage/sqlite-storage.ts";
import type { Storage } from "./storage/storage.ts";

const BEAT_MS = 5_000;
const IDLE_MS = 60_000;
const APPLY_MS = { exclusive: 100, shared: 1_000, many: 5_000 } as const;
/** Above this number of accounts charges are applied less often, so that each apply has more of them. */
const MANY_ACCOUNTS = 5_000;
const RECLAIM_LOOK_MS = 1_000;

export interface LedgerParts {
  readonly database: OpenDatabase;
  readonly clock: LedgerClock;
  /** Time for which reservations wait for a database that is away, in ms. */
  readonly outageWaitMs?: number;
  readonly aroundStorage?: (storage: Storage) => Storage;
  /** Reports failed background work, which is repeated. */
  readonly warn: (error: unknown) => void;
  /** This server was declared dead and continues as a new one. */
  readonly onFenced?: () => void;
  /** The process must end: the database is older than what it has acknowledged. */
  readonly onOutdated: (error: DatabaseIsOlderError) => void;
}

export interface ServerLedger {
  readonly ledger: Ledger;
  readonly batches: BatchReservations;
  /** Registers the server and settles what stopped servers left. Call it before the first request. Returns the number of charged requests. */
  start(): Promise<number>;
  /** True if the server is registered and its last statement was answered. */
  readonly isLive: boolean;
  /** This server's place among the live servers of the database, at most 5 s old. */
  readonly place: ServerPlace;
  /** Id of this server among the owners of shares. A server that was declared dead gets another one. */
  readonly ownerId: number;
  figures(): LedgerFigures;
}

interface LedgerFigures {
  readonly reservations: number;
  /** Commits of the journal since the start. */
  readonly commits: number;
  readonly entries: number;
  readonly waiting: number;
  readonly shares: Readonly<Record<keyof typeof ACCOUNT_KIND, ShareFigures>>;
}

interface ShareFigures {
  readonly count: number;
  readonly free: number;
}

export function createServerLedger(parts: LedgerParts): ServerLedger {
  const process = new ServerProcess(parts);
  const reclaim = (accounts: readonly Account[]) => process.acquirer.reclaim(accounts);
  const { requests, session, upkeep } = process;
  let isClosed = false;
  const ledger: Ledger = {
    reserve: (reservation) => {
      if (isClosed) throw new LedgerClosedError();
      return requests.reserve(reservation);
    },
    settle: (settlement, done, isLate) => requests.settle(settlement, done, isLate),
    release: (request) => requests.release(request),
    checkpoint: (checkpoints) => requests.checkpoint(checkpoints),
    writeLogs: (rows) => requests.writeLogs(rows),
    available: (payer, time) => requests.available(payer, time),
    applyCharges: () => upkeep.apply(),
    get open() {
      return requests.open;
    },
    quota: createQuotaLedger(async (accounts) => {
      await reclaim(accounts);
    }),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await process.stop();
    },
  };
  return {
    ledger,
    batches: new BatchReservations({
      database: parts.database,
      reclaim,
      openWindows: (payer, time) => process.windows.open(payer.budgets ?? [], time),
    }),
    start: () => process.start(),
    figures: () => process.figures(),
    get ownerId() {
      return session.owner.id;
    },
    get isLive() {
      return session.isLive;
    },
    get place() {
      return upkeep.place;
    },
  };
}

class ServerProcess {
  readonly session: Session;
  readonly acquirer: Acquirer;
  readonly windows: BudgetWindows;
  readonly requests: RequestLedger;
  readonly upkeep: Upkeep;
  readonly #storage: Storage;
  readonly #shares = new ShareTable();
  readonly #settler: Settler;
  readonly #periodic: Periodic;
  readonly #listening: Listening | undefined;
  readonly #warn: (error: unknown) => void;

  constructor(parts: LedgerParts) {
    const { database, clock, warn, onFenced, onOutdated, aroundStorage = (storage) => storage } = parts;
    const isSqlite = database.kind === "sqlite";
    this.#warn = warn;
    this.#storage = aroundStorage(isSqlite ? new SqliteStorage(database) : new PostgresStorage(database));
    this.session = new Session(this.#storage, clock, parts.outageWaitMs ?? outageWaitMs(database.kind), {
      doubtful: () => this.requests.doubtful(),
      settled: (settled) => this.requests.settled(settled),
      fenced: (found) => {
        this.requests.fenced(found);
        onFenced?.();
      },
      outdated: onOutdated,
    });
    const [session, shares] = [this.session, this.#shares];
    this.#settler = new Settler(session);
    this.upkeep = new Upkeep(session, shares);
    this.acquirer = new Acquirer(session, shares, this.upkeep.isSilent);
    this.windows = new BudgetWindows(session, shares, this.acquirer);
    const { acquirer, windows } = this;
    this.requests = new RequestLedger({ session, shares, settler: this.#settler, acquirer, windows });
    this.#periodic = new Periodic(warn);
    this.#listening = database.listen?.(RECLAIM_CHANNEL, {
      began: () => undefined,
      received: (payload) => {
        const [kind, account] = payload.split(":").map(Number);
        if (session.isLive) acquirer.answerReclaim([readAccount({ kind, account })]).catch(warn);
      },
    });
  }

  async start(): Promise<number> {
    await this.session.start();
    const charged = this.#storage.isExclusive ? await this.#takeOver() : await this.upkeep.observe();
    this.#startPeriodic();
    return charged;
  }

  /** Waits for running statements, applies them and returns all shares. If the database is unavailable, other servers do that later. */
  async stop(): Promise<void> {
    await this.requests.drained();
    this.#settler.close();
    await this.#periodic.stop();
    await this.#listening?.stop();
    try {
      await this.requests.forgetEnded();
      await this.upkeep.apply();
      // Closing changes the epoch; statements that fail by that must not begin doubt.
      this.session.close();
      if (!this.#storage.isExclusive) await this.#leave();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      this.#warn(error);
    } finally {
      this.session.close();
      await this.#storage.close();
    }
  }

  figures(): LedgerFigures {
    const { commits, rows } = this.#settler.committed;
    const { user, token, budget } = ACCOUNT_KIND;
    return {
      reservations: this.requests.open,
      commits,
      entries: rows,
      waiting: this.#settler.waiting,
      shares: {
        user: this.#shares.figures(user),
        token: this.#shares.figures(token),
        budget: this.#shares.figures(budget),
      },
    };
  }

  /** On SQLite a server continues with the shares of the previous one. */
  async #takeOver(): Promise<number> {
    const { session } = this;
    const charged = await this.#storage.chargeCheckpoints(session.owner);
    await session.catchUp();
    this.#shares.replace(await this.#storage.readShares(session.owner.id));
    return charged;
  }

  #startPeriodic(): void {
    const { acquirer, requests, session, upkeep } = this;
    const { isExclusive } = this.#storage;
    const periodic = this.#periodic;
    periodic.every(
      () => this.#applyMs(),
      () => upkeep.apply(),
    );
    periodic.every(
      () => BEAT_MS,
      () => requests.forgetEnded(),
    );
    periodic.every(
      () => IDLE_MS,
      () => upkeep.returnIdle(acquirer),
    );
    if (isExclusive) return;
    periodic.every(
      () => BEAT_MS,
      async () => {
        await session.heartbeat();
        await upkeep.observe();
      },
    );
    periodic.every(
      () => RECLAIM_LOOK_MS,
      () => upkeep.answerReclaims(acquirer),
    );
  }

  #applyMs(): number {
    if (this.#storage.isExclusive) return APPLY_MS.exclusive;
    return this.#shares.size > MANY_ACCOUNTS ? APPLY_MS.many : APPLY_MS.shared;
  }

  /** As other servers recover a dead one, with nothing left to charge. */
  async #leave(): Promise<void> {
    const find = async () => (await this.#storage.readOwners()).find(({ id }) => id === this.session.owner.id);
    const own = await find();
    if (own === undefined || this.requests.open > 0) return;
    await this.#storage.declareDead(own, own.heartbeat);
    const dead = await find();
    if (dead?.state === "dead") await recoverOwner(this.#storage, dead);
  }
}
