import type { ForeignRow } from "@one-api/database/foreign/foreign-database";
import { wholeOf } from "../old-row.ts";
import type { OldServer } from "../old-server.ts";
import type { ImportPlan } from "../plan-import.ts";
import { isGone } from "../plan-users.ts";

interface Balance {
  readonly remaining: number;
  readonly used: number;
}

export interface Balances {
  readonly users: ReadonlyMap<number, Balance>;
  readonly tokens: ReadonlyMap<number, Balance>;
}

export interface BalanceDifference extends Balance {
  readonly noun: "user" | "token";
  readonly id: number;
  /** Undefined without the user or token. */
  readonly here: Balance | undefined;
}

/** The balances that an import gives. */
export function balancesOf({ users, tokens }: Pick<ImportPlan, "users" | "tokens">): Balances {
  return { users, tokens: new Map(tokens.map((token) => [token.id, token])) };
}

/** Returns the users and tokens whose balances are not those of the old server. */
export function compareBalances(plan: Pick<ImportPlan, "users" | "tokens">, here: Balances): BalanceDifference[] {
  const there = balancesOf(plan);
  const differences = (noun: BalanceDifference["noun"], balances: "users" | "tokens") =>
    [...there[balances]].flatMap(([id, { remaining, used }]) => {
      const found = here[balances].get(id);
      const agrees = found?.remaining === remaining && found.used === used;
      return agrees ? [] : [{ noun, id, remaining, used, here: found }];
    });
  return [...differences("user", "users"), ...differences("token", "tokens")];
}

/** Totals in quota, exact. */
export interface BalanceTotals {
  /** Of all rows of users that are not deleted, negative balances included. */
  readonly there: bigint;
  /** Of users that are not imported. */
  readonly notImported: bigint;
  /** Debts of imported users, who begin with nothing. */
  readonly forgiven: bigint;
  readonly debtors: number;
  /** Of the new server's users. */
  readonly here: bigint;
  /** Rewards for invitations that their users have not taken yet. */
  readonly rewards: bigint;
}

/** Sums the remaining quota of users. `there` = `here` + `notImported` - `forgiven`, unless balances differ. */
export function totalBalances(old: Pick<OldServer, "users">, plan: ImportPlan, here: Balances): BalanceTotals {
  const rows = old.users.filter((row) => !isGone(row));
  const isImported = (row: ForeignRow) => plan.users.has(wholeOf(row, "id"));
  const imported = rows.filter(isImported);
  const debts = imported.filter((row) => wholeOf(row, "quota") < 0);
  const quota = (row: ForeignRow) => wholeOf(row, "quota");
  return {
    there: sum(rows.map(quota)),
    notImported: sum(rows.filter((row) => !isImported(row)).map(quota)),
    forgiven: sum(debts.map((row) => -quota(row))),
    debtors: debts.length,
    here: sum([...plan.users.keys()].map((id) => here.users.get(id)?.remaining ?? 0)),
    rewards: sum(imported.map((row) => Math.max(0, wholeOf(row, "aff_quota")))),
  };
}

function sum(amounts: readonly number[]): bigint {
  return amounts.reduce((total, amount) => total + BigInt(amount), 0n);
}
