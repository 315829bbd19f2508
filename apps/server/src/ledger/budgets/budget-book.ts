import { periodStart } from "@one-api/contract/budget";
import type { RunStatement, StatementOutcome } from "@one-api/database/open-database";
import {
  budgetAt,
  type BudgetMark,
  type BudgetRefusal,
  budgetRefusal,
  inWindow,
  type LedgerBudget,
  leftOf,
  readBudget,
} from "./budget.ts";

/** A row of `budget_uses`: what a request takes of a budget in one period. */
export interface BudgetUseRow {
  readonly request_id: string;
  readonly user_id: number;
  readonly token_id: number;
  readonly window_start: number;
  readonly amount: number;
}

type Outcome = StatementOutcome | Promise<StatementOutcome>;

/** Of the ledger's statements those about budgets. */
interface BudgetStatements {
  /** Reads the user's own budget and the token's. */
  readBudgets(run: RunStatement, values: { userId: number; tokenId: number }): Outcome;
  spendBudget(
    run: RunStatement,
    values: { userId: number; tokenId: number; windowStart: number; spent: number },
  ): Outcome;
  /** Returns the rows that it deletes. */
  deleteBudgetUses(run: RunStatement, requestIds: readonly string[]): Promise<readonly Record<string, unknown>[]>;
  insertBudgetUses(run: RunStatement, rows: readonly BudgetUseRow[]): Promise<void>;
}

/** One transaction of the ledger. */
interface BudgetTransaction {
  readonly run: RunStatement;
  readonly statements: BudgetStatements;
}

/** Where a request counts if it has no rows of its own in budgets yet. */
export interface BudgetPlace {
  readonly marks: readonly BudgetMark[];
  /** When it began, in Unix seconds, if nobody has noted where it counts. */
  readonly begunAt?: number;
}

/** What a request is to have taken of budgets when it is booked. */
interface BudgetCharge {
  readonly requestId: string;
  readonly tokenId: number;
  readonly charged: number;
  readonly place: BudgetPlace;
}

/**
 * One user's budgets within one transaction of the ledger, which must hold the user's balance: nobody else changes them then. They are
 * read at their first use and written by `save`.
 */
export class BudgetBook {
  readonly #transaction: BudgetTransaction;
  readonly #userId: number;
  readonly #budgets = new Map<number, LedgerBudget>();
  readonly #readTokens = new Set<number>();
  readonly #changed = new Set<number>();
  readonly #uses: BudgetUseRow[] = [];

  constructor(transaction: BudgetTransaction, userId: number) {
    this.#transaction = transaction;
    this.#userId = userId;
  }

  /** Sets the amount aside in the user's and the token's budget, or says which of them does not cover it. */
  async take(
    tokenId: number,
    {
      requestId,
      amount,
      createdAt,
    }: { readonly requestId: string; readonly amount: number; readonly createdAt: number },
  ): Promise<BudgetRefusal | undefined> {
    await this.#read(tokenId);
    const budgets = this.#of(tokenId).map((budget) => budgetAt(budget, createdAt));
    const short = budgets.find((budget) => leftOf(budget) < amount);
    if (short !== undefined) return budgetRefusal(short, leftOf(short));
    for (const budget of budgets) this.#add(budget, requestId, amount, amount);
    return undefined;
  }

  /** Makes what requests have taken equal to their charges, whatever they had taken before. */
  async charge(charges: readonly BudgetCharge[]): Promise<void> {
    const { run, statements } = this.#transaction;
    const rows = await statements.deleteBudgetUses(
      run,
      charges.map(({ requestId }) => requestId),
    );
    for (const { requestId, tokenId, charged, place } of charges) {
      const hasRows = rows.some((use) => use["request_id"] === requestId);
      if (!hasRows && place.marks.length === 0 && place.begunAt === undefined) continue;
      await this.#read(tokenId);
      for (const budget of this.#of(tokenId)) {
        const row = rows.find((use) => use["request_id"] === requestId && Number(use["token_id"]) === budget.tokenId);
        const windowStart = row === undefined ? windowFor(budget, place) : Number(row["window_start"]);
        // What counts in a period that is over changes nothing any more.
        if (windowStart === undefined || windowStart < budget.windowStart) continue;
        const before = row === undefined ? 0 : Number(row["amount"]);
        this.#add(inWindow(budget, windowStart), requestId, charged, charged - before);
      }
    }
  }

  async save(): Promise<void> {
    const { run, statements } = this.#transaction;
    for (const tokenId of this.#changed) {
      const budget = this.#budgets.get(tokenId);
      if (budget === undefined) continue;
      const { userId, windowStart, spent } = budget;
      await statements.spendBudget(run, { userId, tokenId, windowStart, spent });
    }
    await statements.insertBudgetUses(run, this.#uses);
  }

  #of(tokenId: number): LedgerBudget[] {
    return [this.#budgets.get(0), this.#budgets.get(tokenId)].filter((budget) => budget !== undefined);
  }

  #add(budget: LedgerBudget, requestId: string, amount: number, more: number): void {
    const { tokenId, windowStart } = budget;
    this.#budgets.set(tokenId, { ...budget, spent: budget.spent + more });
    this.#changed.add(tokenId);
    if (amount > 0)
      this.#uses.push({
        request_id: requestId,
        user_id: this.#userId,
        token_id: tokenId,
        window_start: windowStart,
        amount,
      });
  }

  async #read(tokenId: number): Promise<void> {
    if (this.#readTokens.has(tokenId)) return;
    this.#readTokens.add(tokenId);
    const { run, statements } = this.#transaction;
    const { rows } = await statements.readBudgets(run, { userId: this.#userId, tokenId });
    for (const row of rows) {
      const budget = readBudget(row);
      if (!this.#budgets.has(budget.tokenId)) this.#budgets.set(budget.tokenId, budget);
    }
  }
}

/** In which period the request counts in the budget: in none when the budget was set anew since it began. */
function windowFor({ tokenId, since, period }: LedgerBudget, { marks, begunAt }: BudgetPlace): number | undefined {
  if (begunAt !== undefined) return begunAt < since ? undefined : periodStart(period, begunAt);
  return marks.find((mark) => mark.tokenId === tokenId && mark.since === since)?.windowStart;
}
