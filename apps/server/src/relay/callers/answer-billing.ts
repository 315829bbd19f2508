import type { OptionStore } from "../../core/option-store.ts";
import type { Queryable } from "../../core/transaction.ts";
import { readTokenBalance, readUserBalance } from "@one-api/ledger/read-balances";
import type { Caller } from "./caller-source.ts";

/** One API's number for a token without a limit. */
const UNLIMITED = 100_000_000;
const CENTS = 100;
const DIGITS = 12;

export interface Billing {
  has(path: string): boolean;
  answer(path: string, caller: Caller): Promise<unknown>;
}

/** OpenAI's former billing paths. DisplayTokenStatEnabled selects the token, else its owner; DisplayInCurrencyEnabled dollars, else quota. */
export function createBilling(queryable: Queryable, options: OptionStore): Billing {
  const amounts = async (caller: Caller): Promise<{ usedCents: number; limit: number }> => {
    const ofToken = options.flag("DisplayTokenStatEnabled");
    const balance = await (ofToken
      ? readTokenBalance(queryable, caller.tokenId)
      : readUserBalance(queryable, caller.userId));
    const divisor = options.flag("DisplayInCurrencyEnabled") ? options.number("QuotaPerUnit") : 1;
    const shown = (quota: number) => Number((quota / divisor).toPrecision(DIGITS));
    const limit = ofToken && caller.unlimitedQuota ? UNLIMITED : shown(balance.remaining + balance.used);
    return { usedCents: shown(balance.used * CENTS), limit };
  };
  const answers = new Map<string, (caller: Caller) => Promise<unknown>>([
    [
      "subscription",
      async (caller) => {
        const { limit } = await amounts(caller);
        return {
          object: "billing_subscription",
          has_payment_method: true,
          soft_limit_usd: limit,
          hard_limit_usd: limit,
          system_hard_limit_usd: limit,
          access_until: Math.max(0, caller.expiredTime),
        };
      },
    ],
    ["usage", async (caller) => ({ object: "list", total_usage: (await amounts(caller)).usedCents })],
  ]);
  const nameOf = (path: string) => /^(?:\/v1)?\/dashboard\/billing\/(\w+)$/.exec(path)?.[1] ?? "";
  return {
    has: (path) => answers.has(nameOf(path)),
    answer: (path, caller) => answers.get(nameOf(path))?.(caller) ?? Promise.resolve({}),
  };
}
