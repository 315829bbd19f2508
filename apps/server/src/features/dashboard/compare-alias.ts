import { type AliasEntry, entriesOfAlias } from "@one-api/contract/channels/model-aliases";
import type { AliasComparison } from "@one-api/contract/usage/dashboard";
import { SLOT_SECONDS, type UsageFilter, type UsageQuestion, type UsageRow } from "@one-api/log-store/questions";
import { keyText } from "@one-api/log-store/usage-key";
import { NO_SUMS } from "@one-api/log-store/usage-sums";
import type { CallContext } from "../../core/call-context.ts";
import { askLog } from "../logs/index.ts";
import type { ModelAliases } from "../model-aliases/index.ts";
import { presentUsage } from "./usage.present.ts";

const MOST_MODELS = 30;

interface Period {
  /** Unix seconds; the end is excluded. */
  readonly start: number;
  readonly end: number;
}

/** Compares the models that served an alias, in the order of the alias. The half hour of the end counts as a whole. */
export async function compareAlias(
  context: Pick<CallContext, "logStore" | "signal">,
  aliases: ModelAliases,
  filter: UsageFilter,
  { start, end }: Period,
): Promise<AliasComparison> {
  const question = {
    kind: "usage",
    filter,
    edges: [start, Math.ceil(end / SLOT_SECONDS) * SLOT_SECONDS],
    order: "requests",
    rows: MOST_MODELS,
    split: 0,
  } as const;
  const ask = (by: UsageQuestion["by"], times: UsageQuestion["times"]) => askLog(context, { ...question, by, times });
  const [served, failedOver] = await Promise.all([ask("model", "rows"), ask("first-model", "none")]);
  const entries = entriesOfAlias(aliases.find(filter.alias) ?? []);
  const usageOf = byKey(served.answer.rows);
  const failedOverOf = byKey(failedOver.answer.rows);
  const listed = new Set(entries.map(({ model }) => model));
  const former = [...usageOf.keys(), ...failedOverOf.keys()].filter((model) => model !== "" && !listed.has(model));
  return {
    models: [...listed, ...new Set(former)].map((model) => ({
      model,
      weight: shareOf(entries, model),
      is_listed: listed.has(model),
      usage: presentUsage(usageOf.get(model) ?? NO_SUMS, true),
      failed_over: failedOverOf.get(model)?.requests ?? 0,
    })),
    is_complete: served.isComplete && failedOver.isComplete,
  };
}

function byKey(rows: readonly UsageRow[]): ReadonlyMap<string, UsageRow["usage"]> {
  return new Map(rows.map(({ key, usage }) => [keyText(key), usage]));
}

function shareOf(entries: readonly AliasEntry[], model: string): number | null {
  const weight = entries.find((entry) => entry.model === model)?.weight;
  if (weight === undefined) return null;
  return weight / entries.reduce((sum, entry) => sum + (entry.weight ?? 0), 0);
}
