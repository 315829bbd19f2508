import type { OpenDatabase, RunStatement, StatementParameter } from "@one-api/database/open-database";
import { type Account, ACCOUNT_KIND, accountKey, byAccount } from "./accounts.ts";
import { JOURNAL_COLUMN_LIST, JOURNAL_COLUMNS, journalValues } from "./storage/journal-columns.ts";
import type { Payer, Reservation, ReserveOutcome, Settlement, SettleOutcome } from "./ledger.ts";
import { numberOf, readAccount, type ResultRow } from "./storage/read-rows.ts";
import { RETRY_AFTER_SECONDS } from "./server/acquirer.ts";
import { budgetRefusal } from "./server/budget-windows.ts";
import { chargeRow, type RequestWindow } from "./server/request.ts";

export interface BatchParts {
  readonly database: OpenDatabase;
  /** Makes servers return their unreserved quota of accounts. Returns the accounts of which a server that does not answer holds a part. */
  readonly reclaim: (accounts: readonly Account[]) => Promise<readonly Account[]>;
  /** The budget windows that a payer's requests count in at the time, in Unix seconds. */
  readonly openWindows: (payer: Payer, time: number) => Promise<readonly RequestWindow[]>;
}

const LOCK_POOL =
  "update shares set remaining = remaining where kind = $1 and account = $2 and owner = 0 returning remaining";
const ADD_TO_POOL = "update shares set remaining = remaining + $3 where kind = $1 and account = $2 and owner = 0";
const ADD_SHARE = "insert into shares (kind, account, owner, remaining) values ($1, $2, $3, $4)";
const TAKE_SHARES = "delete from shares where owner = $1 returning kind, account, remaining";
const TAKE_OWNER = "delete from owners where state = 'batch' and request_id = $1 returning id";
const CHARGE_POOL = `update shares set remaining = remaining - $3, used = used + $4, requests = requests + $5, last_used_at = $6
  where kind = $1 and account = $2 and owner = 0`;
const COUNT_CHANNEL = "update channels set used_quota = used_quota + $2 where id = $1";
const FIND_BUDGET = `select budgets.token_id, budgets.group_name from budget_windows join budgets on budgets.id = budget_windows.budget_id
  where budget_windows.id = $1`;
const INSERT_ROW = `insert into logs (${JOURNAL_COLUMN_LIST})
  values (${JOURNAL_COLUMNS.map((_, index) => `$${index + 1}`).join(", ")})`;

/**
 * Reservations that outlive their process. A batch is an owner with a share of each account. Its settlement deletes the owner and charges in one transaction, once.
 */
export class BatchReservations {
  readonly #parts: BatchParts;
  readonly #isSqlite: boolean;

  constructor(parts: BatchParts) {
    this.#parts = parts;
    this.#isSqlite = parts.database.kind === "sqlite";
  }

  /** Reserves for a batch, or names the account that does not cover it. */
  async reserve(reservation: Reservation): Promise<ReserveOutcome> {
    const { requestId, amount, createdAt } = reservation;
    const windows = await this.#parts.openWindows(reservation, createdAt);
    const accounts = [...accountsOf(reservation), ...windows.map(({ share: { kind, id } }) => ({ kind, id }))].sort(
      byAccount,
    );
    const held = new Set((await this.#parts.reclaim(accounts)).map(accountKey));
    return this.#transaction(async (run): Promise<ReserveOutcome> => {
      for (const { kind, id } of accounts) {
        const [pool] = await run(LOCK_POOL, [kind, id]);
        const left = pool === undefined ? 0 : numberOf(pool, "remaining");
        if (left >= amount) continue;
        if (held.has(accountKey({ kind, id })))
          return { ok: false, refusal: "held-elsewhere", retryAfterSeconds: RETRY_AFTER_SECONDS };
        const window = windows.find(({ share }) => share.kind === kind && share.id === id);
        if (window !== undefined) return { ok: false, ...budgetRefusal(window, left) };
        return { ok: false, refusal: kind === ACCOUNT_KIND.user ? "user-quota" : "token-quota" };
      }
      const owner = await this.#open(run, requestId);
      for (const { kind, id } of accounts) {
        await run(ADD_TO_POOL, [kind, id, -amount]);
        await run(ADD_SHARE, [kind, id, owner, amount]);
      }
      return { ok: true };
    });
  }

  /** Settles a batch: first from its share, then from the pool. Rejects when the commit failed or its outcome is unknown; call it again then. */
  async settle(settlement: Settlement): Promise<SettleOutcome> {
    if ((settlement.charge ?? 0) > 0) await this.#parts.reclaim(accountsOf(settlement));
    return this.#transaction(async (run) => {
      const [owner] = await run(TAKE_OWNER, [settlement.requestId]);
      if (owner === undefined) return { settled: false, charged: 0 };
      const shares = await run(TAKE_SHARES, [numberOf(owner, "id")]);
      const left = new Map<number, number>();
      for (const share of [...shares].sort((one, other) => byAccount(readAccount(one), readAccount(other))))
        left.set(readAccount(share).kind, await this.#returnToPool(run, share));
      const user = Math.min(settlement.charge ?? 0, left.get(ACCOUNT_KIND.user) ?? 0);
      const token = settlement.tokenUnlimited ? 0 : Math.min(user, left.get(ACCOUNT_KIND.token) ?? 0);
      await this.#book(run, settlement, { user, token }, shares.map(readAccount));
      return { settled: true, charged: user };
    });
  }

  async isOpen(requestId: string): Promise<boolean> {
    const { db } = this.#parts.database;
    const query = db.selectFrom("owners").select("id").where("state", "=", "batch").where("request_id", "=", requestId);
    return (await query.executeTakeFirst()) !== undefined;
  }

  async #open(run: Run, requestId: string): Promise<number> {
    const next = this.#isSqlite ? "(select max(1000, max(id)) + 1 from owners)" : "nextval('owner_ids')";
    const [row] = await run(`insert into owners (id, state, request_id) values (${next}, 'batch', $1) returning id`, [
      requestId,
    ]);
    return numberOf(row, "id");
  }

  /** Returns the pool's remainder; 0 if the account is deleted. */
  async #returnToPool(run: Run, share: ResultRow): Promise<number> {
    const { kind, id } = readAccount(share);
    const [pool] = await run(LOCK_POOL, [kind, id]);
    if (pool === undefined) return 0;
    const amount = numberOf(share, "remaining");
    await run(ADD_TO_POOL, [kind, id, amount]);
    return numberOf(pool, "remaining") + amount;
  }

  async #book(
    run: Run,
    settlement: Settlement,
    paid: { readonly user: number; readonly token: number },
    accounts: readonly Account[],
  ): Promise<void> {
    const { charge, log, userId, tokenId, at, channelId } = settlement;
    if (charge === undefined && log === undefined) return;
    const windows = { user_budget: 0, token_budget: 0, group_budget: 0 };
    for (const { kind, id } of accounts) {
      if (kind !== ACCOUNT_KIND.budget) continue;
      const [budget] = await run(FIND_BUDGET, [id]);
      windows[budget === undefined ? "user_budget" : budgetColumn(budget)] = id;
      await run(CHARGE_POOL, [kind, id, paid.user, 0, 0, 0]);
    }
    const row = { ...chargeRow(settlement, paid, { owner: 0 }), ...windows };
    await run(INSERT_ROW, journalValues(row));
    const requests = charge === undefined ? 0 : 1;
    await run(CHARGE_POOL, [ACCOUNT_KIND.user, userId, paid.user, paid.user, requests, at]);
    await run(CHARGE_POOL, [ACCOUNT_KIND.token, tokenId, paid.token, paid.user, requests, at]);
    await run(COUNT_CHANNEL, [channelId, paid.user]);
  }

  #transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
    return this.#parts.database.writeTransaction((statement: RunStatement) =>
      work(async (text, parameters) => {
        const sql = this.#isSqlite ? text.replaceAll("$", "?") : text;
        return (await statement(sql, parameters)).rows;
      }),
    );
  }
}

function budgetColumn(budget: ResultRow): "user_budget" | "token_budget" | "group_budget" {
  if (budget["group_name"] !== "") return "group_budget";
  return numberOf(budget, "token_id") === 0 ? "user_budget" : "token_budget";
}

type Run = (sql: string, parameters: readonly StatementParameter[]) => Promise<readonly ResultRow[]>;

function accountsOf({ userId, tokenId, tokenUnlimited }: Payer): Account[] {
  const user = { kind: ACCOUNT_KIND.user, id: userId };
  return tokenUnlimited ? [user] : [user, { kind: ACCOUNT_KIND.token, id: tokenId }];
}
