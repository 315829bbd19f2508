import {
  type Dashboard,
  type DashboardRow,
  type DASHBOARD_KEYS,
  type DASHBOARD_METRICS,
  MAX_DASHBOARD_ROWS,
} from "@one-api/contract/usage/dashboard";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Queryable } from "../../core/transaction.ts";
import { nameChannels } from "../channels/index.ts";
import {
  addSums,
  firstByteWithin,
  nameTokens,
  negativeSums,
  NO_FIRST_BYTES,
  NO_SUMS,
  partOfSums,
  presentFirstByte,
  readUsage,
  SLOT_SECONDS,
  type SumKey,
  type Sums,
  type SumTable,
  type UsageQuestion,
} from "../usage/index.ts";
import { nameUsers } from "../users/index.ts";
import { presentUsage } from "./usage.present.ts";

type Key = (typeof DASHBOARD_KEYS)[number];
type Metric = (typeof DASHBOARD_METRICS)[number];

/** What is asked, and as whom. */
export interface DashboardQuestion {
  /** Unix seconds with commas, each after the one before. */
  readonly edges: string;
  /** A time to compare with, told likewise; empty for none. */
  readonly before: string;
  readonly by: Key;
  readonly metric: Metric;
  /** Parts and total are of this row alone; empty for all. */
  readonly key: string;
  /** So many of the largest rows are told in parts as well. */
  readonly series: number;
  /** 0 for everybody. */
  readonly userId: number;
  /** Of one user: with this model and this token alone; empty for all. */
  readonly model_name: string;
  readonly token_name: string;
  /** Administrators see what requests cost the operator. */
  readonly forAdmin: boolean;
}

type Worth = Parameters<SumTable["largest"]>[1];

/** Values that rows are sorted by: those that the console shows. A row without a value comes last. */
const WORTH: Readonly<Record<Exclude<Metric, "first_byte">, Worth>> = {
  spend: (sumOf) => sumOf("quota"),
  requests: (sumOf) => sumOf("requests"),
  tokens: (sumOf) => sumOf("prompt_tokens") + sumOf("completion_tokens"),
  errors: (sumOf) => (sumOf("requests") === 0 ? Number.NEGATIVE_INFINITY : sumOf("errors") / sumOf("requests")),
  margin: (sumOf) => {
    const [quota, unknown, cost] = [sumOf("quota"), sumOf("unknown_quota"), sumOf("cost")];
    return unknown > 0 && unknown === quota && cost === 0 ? Number.NEGATIVE_INFINITY : quota - unknown - cost;
  },
};

/** The median where streams are counted by their times, else the mean. */
function firstByteWorth(areCounted: boolean): Worth {
  return (sumOf, firstBytes) => {
    const timed = sumOf("timed");
    if (timed === 0) return Number.NEGATIVE_INFINITY;
    const median = areCounted ? firstByteWithin(0.5, firstBytes(), timed) : null;
    return median ?? Math.exp(sumOf("first_log") / 1_000 / timed);
  };
}

/** Answers what was used in a time: in its parts, and by what is asked, the largest first. */
export async function readDashboard(
  database: OpenDatabase,
  {
    edges: text,
    before,
    by: asked,
    metric,
    key: only,
    series,
    userId,
    model_name: modelName,
    token_name: tokenName,
    forAdmin,
  }: DashboardQuestion,
): Promise<Dashboard> {
  const by = userId === 0 || asked === "token" ? asked : "model";
  const edges = text.split(",").map((edge) => Math.floor(Number(edge) / SLOT_SECONDS) * SLOT_SECONDS);
  const ofUser = { userId, modelName, tokenName };
  const [{ parts, partTables, table, isComplete }, sumsBefore] = await Promise.all([
    readUsage(database, { edges, by, ...ofUser, partsOf: only || undefined, isSplit: series > 0 }),
    before === "" ? undefined : sumBefore(database, before, ofUser),
  ]);
  const total = parts.reduce((sums, part) => addSums(sums, part), NO_SUMS);
  // What is shown together is told by its median, or all by its mean.
  const areCounted = presentFirstByte(total).first_byte_p50_ms !== null;
  const worth = metric === "first_byte" ? firstByteWorth(areCounted) : WORTH[metric];
  const rows = table.largest(MAX_DASHBOARD_ROWS, worth);
  const present = (sums: Sums) => presentUsage(areCounted ? sums : { ...sums, firstBytes: NO_FIRST_BYTES }, forAdmin);
  const others = table.size - rows.length;
  const names = await nameRows(
    database.db,
    by,
    rows.map(([key]) => key),
    userId,
  );
  return {
    edges,
    parts: parts.map(present),
    total: present(total),
    before: sumsBefore === undefined ? null : presentUsage(sumsBefore, forAdmin),
    rows: rows.map(([key, sums], index) => ({
      ...(names.get(key) ?? { key: String(key), name: "", owner: "" }),
      ...present(sums),
      ...(index < series ? { parts: partTables.map((part) => present(part.sumsOf(key))) } : {}),
    })),
    rest: others === 0 ? null : { count: others, ...present(withoutRows(table.total(), rows)) },
    is_complete: isComplete,
  };
}

function withoutRows(total: Sums, rows: readonly (readonly [key: unknown, sums: Sums])[]): Sums {
  return rows.reduce((left, [, sums]) => addSums(left, negativeSums(sums)), total);
}

/** What was used in a time, with such a part of its last half hour as the time has of that: what is still running is compared with as much of it. */
async function sumBefore(
  database: OpenDatabase,
  text: string,
  ofUser: Pick<UsageQuestion, "userId" | "modelName" | "tokenName">,
): Promise<Sums> {
  const [start = 0, end = 0] = text.split(",").map(Number);
  const lastSlot = Math.floor(end / SLOT_SECONDS) * SLOT_SECONDS;
  const edges = [Math.min(start, lastSlot), lastSlot, lastSlot + SLOT_SECONDS];
  const { parts } = await readUsage(database, { edges, by: "all", ...ofUser });
  const [whole = NO_SUMS, last = NO_SUMS] = parts;
  return addSums(whole, partOfSums(last, (end - lastSlot) / SLOT_SECONDS));
}

type Names = Map<SumKey, Pick<DashboardRow, "key" | "name" | "owner">>;

async function nameRows(queryable: Queryable, by: Key, keys: readonly SumKey[], userId: number): Promise<Names> {
  if (keys.length === 0) return new Map();
  if (by === "model" || userId !== 0)
    return new Map(keys.map((key) => [key, { key: String(key), name: String(key), owner: "" }]));
  const texts = await (by === "token" ? nameTokens(queryable, keys) : keys.map(String));
  const ids = texts.map((text) => Number(text.split("/", 1)[0]));
  const known = await (by === "channel" ? nameChannels : nameUsers)(queryable, ids);
  return new Map(
    keys.map((sumKey, index) => {
      const [key = "", name = ""] = [texts[index], known.get(ids[index] ?? 0)];
      if (by !== "token") return [sumKey, { key, name, owner: "" }];
      return [sumKey, { key, name: key.slice(key.indexOf("/") + 1), owner: name }];
    }),
  );
}
