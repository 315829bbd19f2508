import type { Queryable } from "../../../core/transaction.ts";
import { clearAlertStates, raiseAlertState, recordAlert } from "../../alerts/index.ts";
import type { KeyRow } from "../keys/key.repository.ts";

interface BalanceFacts {
  readonly id: number;
  readonly name: string;
  /** One of several keys, whose balance it is. */
  readonly key?: Pick<KeyRow, "id" | "key_end">;
  readonly balance: number;
  readonly threshold: number;
}

/** Alerts once when the balance of a channel, or of one of its keys, falls below the threshold. `at` in Unix seconds. */
export async function alertLowBalance(
  transaction: Queryable,
  { key, ...facts }: BalanceFacts,
  at: number,
): Promise<void> {
  const state =
    key === undefined
      ? ({ kind: "channel-balance", id: facts.id } as const)
      : ({ kind: "channel-key-balance", id: key.id } as const);
  if (facts.balance >= facts.threshold) return clearAlertStates(transaction, [state.kind], state.id);
  if (!(await raiseAlertState(transaction, { ...state, level: 1, at }))) return;
  await recordAlert(transaction, { kind: "channel-balance-low", ...facts, ...(key && { end: key.key_end }) }, at);
}
