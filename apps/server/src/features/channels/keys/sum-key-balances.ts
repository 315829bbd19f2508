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
  /** Time of the oldest report among them; 0 without any. */
  readonly reportedAt: number;
}

/** Adds up the balances of the keys in use. */
export function sumKeyBalances(keys: readonly KeyBalance[]): BalanceSum {
  const inUse = keysInUse(keys);
  const known = inUse.filter(isBalanceKnown);
  const sum = known.reduce((total, { balance }) => total + Math.max(0, balance), 0);
  return {
    known: known.length,
    unknown: inUse.length - known.length,
    sum: Math.round(sum * DECIMALS) / DECIMALS,
    reportedAt: known.length === 0 ? 0 : Math.min(...known.map(({ balance_updated_time: at }) => at)),
  };
}
