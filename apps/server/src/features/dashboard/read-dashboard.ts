import {
  type Dashboard,
  type DASHBOARD_KEYS,
  type DASHBOARD_METRICS,
  type DashboardRow,
} from "@one-api/contract/usage/dashboard";
import {
  SLOT_SECONDS,
  type Sums,
  type Usage,
  type UsageFilter,
  type UsageKey,
  type UsageQuestion,
} from "@one-api/log-store/questions";
import { keyText } from "@one-api/log-store/usage-key";
import { addSums, NO_SUMS, partOfSums } from "@one-api/log-store/usage-sums";
import type { CallContext } from "../../core/call-context.ts";
import type { Queryable } from "../../core/transaction.ts";
import { nameChannels } from "../channels/index.ts";
import { askLog } from "../logs/index.ts";
import { nameUsers } from "../users/index.ts";
import { presentUsage } from "./usage.present.ts";

type Key = (typeof DASHBOARD_KEYS)[number];

export interface DashboardQuestion {
  /** Unix seconds, ascending, separated by commas. */
  readonly edges: string;
  /** The period to compare with, as two such edges; empty for none. */
  readonly before: string;
  /** Intervals to compare with, as such edges; empty for none. */
  readonly before_edges: string;
  readonly rows: number;
  readonly by: Key;
  readonly metric: (typeof DASHBOARD_METRICS)[number];
  /** Limits intervals and total to this row; empty for all. */
  readonly key: string;
  /** Number of the largest rows that are split into intervals as well. */
  readonly series: number;
  readonly filter: UsageFilter;
  /** True for the caller's own usage, where a token is identified by its name. */
  readonly isOwn: boolean;
  readonly forAdmin: boolean;
}

type Context = Pick<CallContext, "database" | "logStore" | "signal">;

export async function readDashboard(context: Context, question: DashboardQuestion): Promise<Dashboard> {
  const { by, metric, key, series, filter, forAdmin } = question;
  const edges = slotsOf(question.edges);
  const [{ answer, isComplete }, usageBefore, partsBefore] = await Promise.all([
    askLog(context, {
      kind: "usage",
      filter,
      edges,
      by,
      only: key === "" ? undefined : readKey(question),
      order: metric,
      rows: question.rows,
      split: series,
      times: metric === "first_byte" ? "rows-and-intervals" : "rows",
    }),
    question.before === "" ? undefined : readBefore(context, question.before, filter),
    question.before_edges === "" ? undefined : readPartsBefore(context, question),
  ]);
  const present = (usage: Usage) => presentUsage(usage, forAdmin);
  const names = await nameRows(
    context.database.db,
    question,
    answer.rows.map((row) => row.key),
  );
  return {
    edges,
    parts: answer.intervals.map(present),
    total: present(answer.total),
    before: usageBefore === undefined ? null : present(usageBefore),
    before_parts: partsBefore?.map(present) ?? null,
    rows: answer.rows.map(({ usage, intervals }, index) => ({
      ...(names[index] ?? { key: "", name: "", owner: "" }),
      ...present(usage),
      ...(intervals === undefined ? {} : { parts: intervals.map(present) }),
    })),
    rest: answer.rest === undefined ? null : { count: answer.rest.count, ...present(answer.rest.usage) },
    is_complete: isComplete,
  };
}

/** Reads edges; usage is counted by half hours. */
export function slotsOf(edges: string): number[] {
  return edges.split(",").map((edge) => Math.floor(Number(edge) / SLOT_SECONDS) * SLOT_SECONDS);
}

/** The key in the log store. For administrators a token is the owner's id and the token's name. */
function readKey({ by, key, filter, isOwn }: DashboardQuestion): UsageKey {
  if (by === "model" || by === "alias") return key;
  if (by !== "token") return Number(key);
  if (isOwn) return { userId: filter.userId, tokenName: key };
  const slash = key.indexOf("/");
  return { userId: Number(key.slice(0, slash)), tokenName: key.slice(slash + 1) };
}

async function readPartsBefore(context: Context, question: DashboardQuestion): Promise<readonly Usage[]> {
  const { answer } = await askLog(context, {
    kind: "usage",
    filter: question.filter,
    edges: slotsOf(question.before_edges),
    by: question.by,
    only: question.key === "" ? undefined : readKey(question),
    order: "spend",
    rows: 0,
    split: 0,
    times: question.metric === "first_byte" ? "rows-and-intervals" : "none",
  });
  return answer.intervals;
}

/**
 * Usage of an earlier period. If its end lies within a half hour, the same fraction of that half hour's usage
 * is counted.
 */
async function readBefore(context: Context, text: string, filter: UsageFilter): Promise<Usage> {
  const [start = 0, end = 0] = text.split(",").map(Number);
  const lastSlot = Math.floor(end / SLOT_SECONDS) * SLOT_SECONDS;
  const firstSlot = Math.floor(start / SLOT_SECONDS) * SLOT_SECONDS;
  const question = {
    kind: "usage",
    filter,
    edges: [...new Set([Math.min(firstSlot, lastSlot), lastSlot, lastSlot + SLOT_SECONDS])],
    by: "model",
    order: "spend",
    rows: 0,
    split: 0,
    times: "rows",
  } satisfies UsageQuestion;
  const { intervals, total } = (await askLog(context, question)).answer;
  const last = partOfSums(intervals.at(-1) ?? NO_SUMS, (end - lastSlot) / SLOT_SECONDS);
  const sums = addSums(intervals.slice(0, -1).reduce<Sums>(addSums, NO_SUMS), last);
  return total.times === undefined ? sums : { ...sums, times: total.times };
}

type RowName = Pick<DashboardRow, "key" | "name" | "owner">;

async function nameRows(
  queryable: Queryable,
  { by, isOwn }: DashboardQuestion,
  keys: readonly UsageKey[],
): Promise<RowName[]> {
  if (keys.length === 0) return [];
  if (by === "model" || by === "alias")
    return keys.map((key) => ({ key: keyText(key), name: keyText(key), owner: "" }));
  if (by !== "token") {
    const names = await (by === "channel" ? nameChannels : nameUsers)(queryable, keys.map(Number));
    return keys.map((key) => ({ key: keyText(key), name: names.get(Number(key)) ?? "", owner: "" }));
  }
  const tokens = keys.flatMap((key) => (typeof key === "object" ? [key] : []));
  if (isOwn) return tokens.map(({ tokenName }) => ({ key: tokenName, name: tokenName, owner: "" }));
  const owners = await nameUsers(
    queryable,
    tokens.map(({ userId }) => userId),
  );
  return tokens.map(({ userId, tokenName }) => ({
    key: `${userId}/${tokenName}`,
    name: tokenName,
    owner: owners.get(userId) ?? "",
  }));
}
