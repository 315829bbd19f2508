import { KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import type { KeyRow } from "./key.repository.ts";

/** Prevents sums such as 0.30000000000000004. */
const DECIMALS = 1e6;

/** Returns the keys that share the channel's requests: the enabled ones; without any, those that the gateway disabled, else all. */
export function keysInUse<Key extends Pick<KeyRow, "status">>(keys: readonly Key[]): readonly Key[] {
  const inState = (status: number) => keys.filter((key) => key.status === status);
  return [KEY_STATUS.enabled, KEY_STATUS.autoDisabled].map(inState).find(({ length }) => length > 0) ?? keys;
}

type KeyBalance = Pick<KeyRow, "status" | "balance" | "balance_updated_time" | "balance_error">;

/** True if the last request for the balance was answered. */
export function isBalanceKnown({ balance_updated_time: at, balance_error: error }: KeyBalance): boolean {
  return at > 0 && error === "";
}

interface BalanceSum {
  /** Numbers of keys. */
  readonly known: number;
  readonly unknown: number;
  /** Of the known balances. A debt counts as 0: the other keys do not pay it. */
  readonly sum: number;
  /** The channel's: unknown while one of its keys is. Its time is that of the oldest report. */
  readonly ofChannel: { readonly balance: number; readonly balance_updated_time: number };
}

export const UNKNOWN_BALANCE = { balance: 0, balance_updated_time: 0 } as const;

/** Adds up the balances of the keys in use. */
export function sumKeyBalances(keys: readonly KeyBalance[]): BalanceSum {
  const inUse = keysInUse(keys);
  const known = inUse.filter(isBalanceKnown);
  const total = known.reduce((sum, { balance }) => sum + Math.max(0, balance), 0);
  const sum = Math.round(total * DECIMALS) / DECIMALS;
  const reportedAt = Math.min(...known.map(({ balance_updated_time: at }) => at));
  const isWhole = known.length > 0 && known.length === inUse.length;
  return {
    known: known.length,
    unknown: inUse.length - known.length,
    sum,
    ofChannel: isWhole ? { balance: sum, balance_updated_time: reportedAt } : UNKNOWN_BALANCE,
  };
}
