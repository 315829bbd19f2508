import type { LateRows, OpenDatabase, RunStatement } from "@one-api/database/open-database";
import type { AccountsInMemory } from "./accounts-in-memory.ts";
import { addUp, inOrder, type SettleStep } from "./book-settlements.ts";
import { type LedgerStatements, prepareLedgerStatements } from "./statements/ledger-statements.ts";

/** What is added to a balance: to what remains, to what is used, and of a user to the number of requests; of a token, when it was last used. */
type BalanceChange = readonly [
  account: typeof USER | typeof TOKEN,
  id: number,
  remaining: number,
  used: number,
  requestsOrTime: number,
];

const USER = 0;
const TOKEN = 1;

/** So long after a commit, in ms, its changes are added at the latest, unless the database is busy or away. */
const ADD_AFTER_MS = 1_000;

/** The charges are committed: a balance that does not cover them would be a mistake of the ledger, and the table refuses it. */
const ANYTHING = Number.MIN_SAFE_INTEGER;

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

  /** Adds everything up, at once; nothing of it need be on disk, as the charges are. */
  async addUp(): Promise<void> {
    if (!this.#due) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      await this.#database.writeTransaction(async (run) => {
        await this.bringUp(run);
        // Nobody else books before this transaction has ended.
        this.#due = false;
      }, "in-order");
    } catch (error) {
      this.#due = true;
      throw error;
    }
  }

  /** Adds everything up and does nothing by itself from then on. Where the database is away, the next start adds what is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.addUp().catch(() => undefined);
    clearTimeout(this.#timer);
  }

  async bringUp(run: RunStatement): Promise<void> {
    if (!this.#due) return;
    const { rows } = await this.#statements.readBalanceChanges(run, {});
    if (rows.length === 0) return;
    const users = new Map<number, BalanceChange>();
    const tokens = new Map<number, BalanceChange>();
    for (const row of rows)
      for (const change of readChanges(row["changes"])) {
        const of = change[0] === USER ? users : tokens;
        const before = of.get(change[1]);
        of.set(change[1], before === undefined ? change : sumOf(before, change));
      }
    for (const [userId, [, , net, charged, requests]] of inOrder(users))
      await this.#statements.bookUser(run, { userId, net, atLeast: ANYTHING, charged, requests });
    for (const [tokenId, [, , net, charged, at]] of inOrder(tokens))
      await this.#statements.bookToken(run, { tokenId, net, atLeast: ANYTHING, charged, at });
    await this.#statements.deleteBalanceChanges(run, {});
  }

  /**
   * Leaves the changes of users' settlements in a row of the open transaction, where what is known of all their balances covers them. Returns false,
   * and does nothing, where it does not, or where one needs a closer look: the balances themselves must be brought up and changed then.
   */
  async book(run: RunStatement, users: readonly (readonly [number, readonly SettleStep[]])[]): Promise<boolean> {
    const changes: BalanceChange[] = [];
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
    this.#addUpLater();
    await this.#statements.insertBalanceChanges(run, { changes: JSON.stringify(changes) });
    return true;
  }

  #addUpLater(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(this.#addUpSoon, ADD_AFTER_MS).unref();
  }

  /** A database that is away says so to whoever needs it next; what is committed stays. */
  readonly #addUpSoon = (): void => {
    this.addUp().catch(() => this.#addUpLater());
  };
}

function sumOf(left: BalanceChange, right: BalanceChange): BalanceChange {
  const [account, id, remaining, used, last] = left;
  const ofLast = account === USER ? last + right[4] : Math.max(last, right[4]);
  return [account, id, remaining + right[2], used + right[3], ofLast];
}

function readChanges(text: unknown): BalanceChange[] {
  const changes: unknown = JSON.parse(String(text));
  if (!Array.isArray(changes)) return [];
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
