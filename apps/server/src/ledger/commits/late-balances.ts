import type { LateRows, OpenDatabase, RunStatement } from "@one-api/database/open-database";
import type { AccountsInMemory } from "../accounts-in-memory.ts";
import { addUp, inOrder, type SettleStep } from "./book-settlements.ts";
import { addToBalances, type BalanceChange } from "../statements/add-to-balances.ts";
import { type LedgerStatements, prepareLedgerStatements } from "../statements/ledger-statements.ts";

/** A change as it stands in a row. */
type WrittenChange = readonly [account: typeof USER | typeof TOKEN, ...BalanceChange];

const USER = 0;
const TOKEN = 1;

/** So many rows are added in one transaction, which others wait for: of groups of 30 some 4 ms of work with as many accounts. Who reads has all of them added. */
const ROWS_TOGETHER = 128;
/** So long after a commit, in ms, its changes are added at the latest, unless the database is busy or away. */
const ADD_AFTER_MS = 1_000;

const NAMES_BALANCES = /\b(?:user|token)_balances\b/;

/**
 * Balances of a process that owns the database alone. A commit leaves what it changed of balances in one row, which is committed with the
 * charges; many such rows are added to the balances at once, before anybody reads them and a second later at the latest. To change the
 * balances themselves would write a page for each of them in every commit.
 */
export class LateBalances implements LateRows {
  readonly #database: OpenDatabase;
  readonly #accounts: AccountsInMemory;
  readonly #statements: LedgerStatements;
  /** There may be changes to add: also those of a process before this one. */
  #due = true;
  /** How many rows were written since rows were last added. */
  #rows = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: OpenDatabase, accounts: AccountsInMemory) {
    this.#database = database;
    this.#accounts = accounts;
    this.#statements = prepareLedgerStatements(database);
  }

  concern(sql: string): boolean {
    return this.#due && NAMES_BALANCES.test(sql);
  }

  /** Adds everything up, some rows at a time; nothing of it need be on disk, as the charges are. */
  async addUp(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#rows = 0;
    while (this.#due) {
      try {
        await this.#database.writeTransaction(async (run) => {
          const added = await this.#add(run, ROWS_TOGETHER);
          // Nobody else books before this transaction has ended.
          if (added < ROWS_TOGETHER) this.#due = false;
        }, "in-order");
      } catch (error) {
        this.#due = true;
        throw error;
      }
    }
  }

  /** Adds everything up and does nothing by itself from then on. Where the database is away, the next start adds what is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.addUp().catch(() => undefined);
    clearTimeout(this.#timer);
  }

  async bringUp(run: RunStatement): Promise<void> {
    if (this.#due) await this.#add(run, Number.MAX_SAFE_INTEGER);
  }

  /** Adds the first rows in the open transaction. Returns how many those were. */
  async #add(run: RunStatement, most: number): Promise<number> {
    const { rows } = await this.#statements.readBalanceChanges(run, { most });
    const last = rows.at(-1);
    if (last === undefined) return 0;
    const users = new Map<number, BalanceChange>();
    const tokens = new Map<number, BalanceChange>();
    for (const row of rows)
      for (const [account, id, remaining, used, latest] of readChanges(row["changes"])) {
        const changes = account === USER ? users : tokens;
        const [, remainingBefore, usedBefore, before] = changes.get(id) ?? NOTHING;
        const requestsOrTime = account === USER ? before + latest : Math.max(before, latest);
        changes.set(id, [id, remainingBefore + remaining, usedBefore + used, requestsOrTime]);
      }
    await addToBalances(run, "user", inOrder(users).map(changeOf));
    await addToBalances(run, "token", inOrder(tokens).map(changeOf));
    await this.#statements.deleteBalanceChanges(run, { last: Number(last["id"]) });
    return rows.length;
  }

  /**
   * Leaves the changes of users' settlements in a row of the open transaction, where what is known of all their balances covers them. Returns false,
   * and does nothing, where it does not, or where one needs a closer look: the balances themselves must be brought up and changed then.
   */
  async book(run: RunStatement, users: readonly (readonly [number, readonly SettleStep[]])[]): Promise<boolean> {
    const changes: WrittenChange[] = [];
    for (const [userId, steps] of users) {
      if (steps.some((step) => step.careful)) return false;
      const { held, charged, requests, tokens } = addUp(steps);
      if (!this.#accounts.covers("user", userId, charged - held)) return false;
      changes.push([USER, userId, held - charged, charged, requests]);
      for (const [tokenId, token] of tokens) {
        if (!this.#accounts.covers("token", tokenId, token.taken - token.held)) return false;
        changes.push([TOKEN, tokenId, token.held - token.taken, token.charged, token.at]);
      }
    }
    if (changes.length === 0) return true;
    this.#due = true;
    this.#rows += 1;
    this.#addUpLater();
    await this.#statements.insertBalanceChanges(run, { changes: JSON.stringify(changes) });
    return true;
  }

  /** At once where there is enough to do. */
  #addUpLater(): void {
    if (this.#isClosed) return;
    if (this.#rows < ROWS_TOGETHER) this.#timer ??= setTimeout(this.#addUpSoon, ADD_AFTER_MS).unref();
    else this.#addUpSoon();
  }

  /** A database that is away says so to whoever needs it next; what is committed stays. */
  readonly #addUpSoon = (): void => {
    this.addUp().catch(() => this.#addUpLater());
  };
}

const NOTHING: BalanceChange = [0, 0, 0, 0];

function changeOf([, change]: readonly [number, BalanceChange]): BalanceChange {
  return change;
}

function readChanges(text: unknown): WrittenChange[] {
  const changes: unknown = JSON.parse(String(text));
  if (!Array.isArray(changes)) throw new Error("Changes of balances are not a list.");
  return changes.map((change: unknown) => {
    if (!Array.isArray(change)) throw new Error("A change of a balance is not a list.");
    return [
      Number(change[0]) === USER ? USER : TOKEN,
      Number(change[1]),
      Number(change[2]),
      Number(change[3]),
      Number(change[4]),
    ];
  });
}
