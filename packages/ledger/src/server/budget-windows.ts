import { periodEnd, periodStart } from "@one-api/contract/budget";
import { ACCOUNT_KIND } from "../accounts.ts";
import type { BudgetOfPayer, BudgetRefusal } from "../ledger.ts";
import type { BudgetWindow } from "../storage/storage.ts";
import type { Acquirer } from "./acquirer.ts";
import type { RequestWindow } from "./request.ts";
import type { Session } from "./session.ts";
import type { ShareTable } from "./share-table.ts";

/** A window, and the budget's amount when this server last looked. */
interface KnownWindow extends BudgetWindow {
  readonly amount: number;
}

export class BudgetWindows {
  readonly #session: Session;
  readonly #shares: ShareTable;
  readonly #acquirer: Acquirer;
  #newest = new Map<number, KnownWindow>();

  constructor(session: Session, shares: ShareTable, acquirer: Acquirer) {
    this.#session = session;
    this.#shares = shares;
    this.#acquirer = acquirer;
  }

  /** The windows of these budgets at the time, in Unix seconds; undefined where one is not known. A clock that was set back opens none again. */
  known(budgets: readonly BudgetOfPayer[], time: number): RequestWindow[] | undefined {
    const windows: RequestWindow[] = [];
    for (const budget of budgets) {
      const newest = this.#newest.get(budget.id);
      if (newest?.amount !== budget.amount || newest.start < periodStart(budget.period, time)) return undefined;
      windows.push(this.#toWindow(budget, newest));
    }
    return windows;
  }

  /** The same; reads or opens those that are not known. A budget that was taken away counts nothing. */
  async open(budgets: readonly BudgetOfPayer[], time: number): Promise<RequestWindow[]> {
    const windows: RequestWindow[] = [];
    for (const budget of budgets) {
      const start = periodStart(budget.period, time);
      const window = await this.#session.onShares(() => this.#session.storage.openWindow(budget.id, start));
      if (window === undefined) continue;
      const opened = this.#toWindow(budget, window);
      // The difference was added to the pool, whose remainder may be negative since: only the pool has the exact value.
      if (this.#newest.get(budget.id)?.amount !== budget.amount && opened.share.known !== 0)
        await this.#acquirer.returnLeftovers([opened.share]);
      this.#newest.set(budget.id, { ...window, amount: budget.amount });
      windows.push(opened);
    }
    return windows;
  }

  forget(): void {
    this.#newest = new Map();
  }

  #toWindow(budget: BudgetOfPayer, { id, start }: BudgetWindow): RequestWindow {
    return { budget, start, share: this.#shares.of(ACCOUNT_KIND.budget, id) };
  }
}

/** The refusal of a budget with this remainder in the window. */
export function budgetRefusal({ budget: { of, amount, period }, start }: RequestWindow, left: number): BudgetRefusal {
  return {
    refusal: `${of}-budget`,
    budget: { amount, period, left: Math.max(0, left), renewsAt: periodEnd(period, start) },
  };
}
