import { CHANNEL_STATUS, KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import type { getTroubles } from "@one-api/contract/usage/dashboard";
import type { z } from "zod";
import type { Queryable } from "../../core/transaction.ts";
import type { ChannelCooldowns } from "./channel-dependencies.ts";
import { readDormancy, readHint } from "./channel.present.ts";
import type { ChannelRow } from "./channel.repository.ts";
import { type KeyRow, listAllKeys } from "./keys/key.repository.ts";

type Troubles = z.output<(typeof getTroubles)["data"]>;

export interface TroubledChannels {
  /** Disabled automatically, or with a hint. */
  readonly failing: readonly Omit<Troubles["channels"][number], "requests" | "errors">[];
  readonly sleeping: Troubles["sleeping"];
  /** Balances at the provider below the threshold, lowest first. */
  readonly balances: Troubles["channel_balances"];
}

export interface TroubleMarks {
  readonly now: number;
  readonly balanceBelow: number;
  readonly most: number;
}

export async function listTroubledChannels(
  queryable: Queryable,
  cooldowns: ChannelCooldowns,
  { now, balanceBelow, most }: TroubleMarks,
): Promise<TroubledChannels> {
  const rows = await queryable
    .selectFrom("channels")
    .select(["id", "name", "type", "status", "status_reason", "status_hint", "models", "model_mapping", "awake_time"])
    .select(["paused_until", "balance", "balance_updated_time"])
    .where("status", "in", [CHANNEL_STATUS.enabled, CHANNEL_STATUS.autoDisabled])
    .orderBy("id")
    .execute();
  const failing = rows.flatMap((row): TroubledChannels["failing"] => {
    const { id, name, status, status_reason: reason } = row;
    const hint = readHint(row.status_hint);
    const cause = hint && { code: hint.code, ...(hint.parts && { parts: hint.parts }) };
    if (status === CHANNEL_STATUS.autoDisabled) return [{ id, name, trouble: "disabled", reason, ...cause }];
    return hint === undefined ? [] : [{ id, name, trouble: "hint", reason: hint.message, ...cause }];
  });
  const sleeping = rows.flatMap((row) => {
    // A pause by an administrator is no trouble.
    if (row.status !== CHANNEL_STATUS.enabled || row.paused_until > now) return [];
    const { models, dormantUntil } = readDormancy(row, cooldowns, now);
    const until = dormantUntil ?? models[0]?.awake_time;
    const names = models.length === 0 ? ["*"] : models.map(({ model }) => model);
    return until === undefined ? [] : [{ id: row.id, name: row.name, models: names, awake_time: until }];
  });
  const keysOf = Map.groupBy(await listAllKeys(queryable), ({ channel_id: id }) => id);
  const balances = rows
    .flatMap((row) => accountsOf(row, keysOf.get(row.id)))
    .filter(({ at, balance }) => at > 0 && balance < balanceBelow)
    .map(({ at: _at, ...account }) => account)
    .toSorted((left, right) => left.balance - right.balance);
  return { failing: failing.slice(0, most), sleeping: sleeping.slice(0, most), balances: balances.slice(0, most) };
}

interface Account {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly balance: number;
  readonly key?: { readonly id: number; readonly end: string };
  /** Time of the last report; 0 before the first. */
  readonly at: number;
}

/** Accounts at the provider: of the channel, or of each of several keys that no administrator disabled. */
function accountsOf(
  row: Pick<ChannelRow, "id" | "name" | "type" | "balance" | "balance_updated_time">,
  keys: readonly KeyRow[] | undefined,
): readonly Account[] {
  const { id, name, type, balance, balance_updated_time: at } = row;
  if (keys === undefined) return [{ id, name, type, balance, at }];
  return keys
    .filter(({ status }) => status !== KEY_STATUS.disabled)
    .map((key) => {
      const { balance: left, balance_updated_time: reportedAt } = key;
      return { id, name, type, balance: left, key: { id: key.id, end: key.key_end }, at: reportedAt };
    });
}
