import { budgetAt, type BudgetMark, type BudgetRefusal, budgetRefusal, type LedgerBudget, leftOf } from "./budget.ts";

/** Whose budgets a request counts in. */
interface Payer {
  readonly userId: number;
  readonly tokenId: number;
}

/** What of a request is set aside, and where it counts. */
interface Open {
  readonly marks: readonly BudgetMark[];
  amount: number;
}

/** One user's budgets as far as this process knows. */
interface UserBudgets {
  /** By token; 0 is the user's own. Means nothing for a token that is not in `known`. */
  readonly budgets: Map<number, LedgerBudget>;
  /** Tokens of which it is known which budgets there are. */
  readonly known: Set<number>;
  readonly open: Map<string, Open>;
  /** Counts the changes that others made, so that what was read before them is not taken for true. */
  version: number;
}

/** So many users and tokens are remembered, some 30 MB: whoever gives one token after the other a budget would fill the memory with them. */
const MOST_REMEMBERED = 100_000;

/** Budgets in memory, for a process that owns the database alone. Read at their first use, and again after whoever changes them beside the ledger. */
export class BudgetsInMemory {
  readonly #users = new Map<number, UserBudgets>();
  /** How many there are in all `known`. */
  #tokens = 0;

  knows({ userId, tokenId }: Payer): boolean {
    return this.#users.get(userId)?.known.has(tokenId) === true;
  }

  /** Returns how to say what budgets there are; that counts only when nobody has changed them since this call. */
  reading({ userId, tokenId }: Payer): (budgets: readonly LedgerBudget[]) => void {
    const user = this.#of(userId);
    const { version } = user;
    return (budgets) => {
      if (user.version !== version || this.#users.get(userId) !== user) return;
      if (!user.known.has(tokenId)) this.#tokens += 1;
      user.known.add(tokenId);
      for (const budget of budgets)
        if (budget.tokenId !== 0 || !user.budgets.has(0)) user.budgets.set(budget.tokenId, budget);
      if (this.#remembered > MOST_REMEMBERED) this.#forgetOldest();
    };
  }

  /** What the payer's budgets leave at the time (Unix seconds); they must be known. */
  left({ userId, tokenId }: Payer, time: number): number {
    const user = this.#of(userId);
    const lefts = budgetsOf(user, tokenId, time).map((budget) => leftOf(budget, heldIn(user, budget)));
    return Math.min(Number.MAX_SAFE_INTEGER, ...lefts);
  }

  /** Sets the amount aside, or says which budget does not cover it; they must be known. */
  hold(payer: Payer, requestId: string, amount: number, time: number): BudgetRefusal | undefined {
    const user = this.#of(payer.userId);
    const budgets = budgetsOf(user, payer.tokenId, time);
    for (const budget of budgets) {
      const left = leftOf(budget, heldIn(user, budget));
      if (left < amount) return budgetRefusal(budget, left);
    }
    const marks = budgets.map(({ tokenId, since, windowStart }) => ({ tokenId, since, windowStart }));
    user.open.set(requestId, { marks, amount });
    return undefined;
  }

  /** Where a request in flight counts. */
  marksOf({ userId }: Payer, requestId: string): readonly BudgetMark[] {
    return this.#users.get(userId)?.open.get(requestId)?.marks ?? [];
  }

  /** Gives back what was set aside for a request, and counts what it was charged. */
  end({ userId }: Payer, requestId: string, charged: number): void {
    const user = this.#users.get(userId);
    const ended = user?.open.get(requestId);
    if (user === undefined || ended === undefined) return;
    user.open.delete(requestId);
    for (const mark of ended.marks) {
      const budget = user.budgets.get(mark.tokenId);
      if (budget === undefined || budget.since !== mark.since || mark.windowStart < budget.windowStart) continue;
      const spent = mark.windowStart > budget.windowStart ? 0 : budget.spent;
      user.budgets.set(mark.tokenId, { ...budget, windowStart: mark.windowStart, spent: spent + charged });
    }
  }

  /** Says that somebody changes the user's budgets in a transaction that is open now. */
  changing(userId: number): void {
    const user = this.#users.get(userId);
    if (user === undefined) return;
    this.#tokens -= user.known.size;
    user.budgets.clear();
    user.known.clear();
    user.version += 1;
  }

  get #remembered(): number {
    return this.#users.size + this.#tokens;
  }

  /** Forgets what was read first until half is left, but for what is set aside: budgets are read again at their next use. */
  #forgetOldest(): void {
    for (const [userId, user] of this.#users) {
      for (const tokenId of user.known) {
        if (this.#remembered <= MOST_REMEMBERED / 2) return;
        user.known.delete(tokenId);
        if (tokenId !== 0) user.budgets.delete(tokenId);
        this.#tokens -= 1;
      }
      user.budgets.clear();
      if (user.open.size === 0) this.#users.delete(userId);
    }
  }

  #of(userId: number): UserBudgets {
    let user = this.#users.get(userId);
    if (user === undefined)
      this.#users.set(userId, (user = { budgets: new Map(), known: new Set(), open: new Map(), version: 0 }));
    return user;
  }
}

function budgetsOf(user: UserBudgets, tokenId: number, time: number): LedgerBudget[] {
  return [user.budgets.get(0), user.budgets.get(tokenId)]
    .filter((budget) => budget !== undefined)
    .map((budget) => budgetAt(budget, time));
}

function heldIn(user: UserBudgets, { tokenId, since, windowStart }: LedgerBudget): number {
  let held = 0;
  for (const { marks, amount } of user.open.values()) {
    const counts = marks.some(
      (mark) => mark.tokenId === tokenId && mark.since === since && mark.windowStart === windowStart,
    );
    if (counts) held += amount;
  }
  return held;
}
