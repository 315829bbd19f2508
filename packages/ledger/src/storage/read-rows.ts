import { ACCOUNT_KIND, type Account, type AccountKind } from "../accounts.ts";
import type { FoundEntry, Holder, OwnerCondition, OwnerRow, StoredShare } from "./storage.ts";

export type ResultRow = Readonly<Record<string, unknown>>;

const kinds: readonly AccountKind[] = Object.values(ACCOUNT_KIND);
const conditions: readonly OwnerCondition[] = ["live", "dead", "charged"];

/** Reads a number of a row. Throws where there is none. */
export function numberOf(row: ResultRow | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value === "number") return value;
  throw new TypeError(`The database returned no number ${column}.`);
}

export function readAccount(row: ResultRow): Account {
  const kind = kinds.find((known) => known === row["kind"]);
  if (kind === undefined)
    throw new TypeError(`The database has an account of the unknown kind ${String(row["kind"])}.`);
  return { kind, id: numberOf(row, "account") };
}

export function readShare(row: ResultRow): StoredShare {
  return { ...readAccount(row), remaining: numberOf(row, "remaining"), isScarce: row["is_scarce"] === 1 };
}

export function readHolder(row: ResultRow): Holder {
  return { ...readShare(row), owner: numberOf(row, "owner") };
}

export function readFound(row: ResultRow): FoundEntry {
  return {
    quota: numberOf(row, "quota"),
    tokenAmount: numberOf(row, "token_amount"),
    refunded: numberOf(row, "refunded"),
  };
}

export function readOwnerRow(row: ResultRow): OwnerRow {
  const state = conditions.find((known) => known === row["state"]);
  if (state === undefined)
    throw new TypeError(`The database has an owner in the unknown state ${String(row["state"])}.`);
  return { id: numberOf(row, "id"), epoch: numberOf(row, "epoch"), state, heartbeat: numberOf(row, "heartbeat") };
}
