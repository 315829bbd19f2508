import { nowSeconds } from "../../platform/clock.ts";
import { sumBatchesOf } from "../../features/batches/index.ts";
import type { Rule } from "../../features/limits/index.ts";
import type { Caller } from "../callers/index.ts";
import { RelayError } from "../errors/index.ts";
import type { BatchServices } from "./batch-services.ts";

/** Batches may take a day, so they get a day's limit. */
const DAY_SECONDS = 24 * 60 * 60;

/** Limits the lines and model tokens of a token's batches in 24 hours to its rate limits for a day. Throws a 429 RelayError. */
export async function checkLimits(
  { database, clock }: Pick<BatchServices, "database" | "clock">,
  { limits, tokenId }: Pick<Caller, "limits" | "tokenId">,
): Promise<void> {
  const rules = limits?.subjects.find(({ of }) => of === "token")?.rules ?? [];
  const [lines, modelTokens] = [lowestOf(rules, "requests"), lowestOf(rules, "tokens")];
  if (lines === undefined && modelTokens === undefined) return;
  const has = await sumBatchesOf(database, tokenId, nowSeconds(clock) - DAY_SECONDS);
  for (const [rule, what, used] of [
    [lines, "lines", has.lines],
    [modelTokens, "model tokens", has.modelTokens],
  ] as const) {
    if (rule !== undefined && used > inADay(rule)) throw tooMuch(rule, what, used);
  }
}

function lowestOf(rules: readonly Rule[], kind: "requests" | "tokens"): Rule | undefined {
  return rules.filter((rule) => rule.kind === kind).toSorted((one, other) => inADay(one) - inADay(other))[0];
}

/** Several windows of five hours begin in a day; each may be used up. */
function inADay({ limit, seconds }: Rule): number {
  return limit * Math.ceil(DAY_SECONDS / seconds);
}

const WINDOWS = new Map([
  [60, "minute"],
  [18_000, "five hours"],
  [DAY_SECONDS, "day"],
]);

function tooMuch(rule: Rule, what: string, used: number): RelayError {
  const { kind, limit, seconds } = rule;
  const message = `This token's limit of ${limit} ${kind} per ${WINDOWS.get(seconds) ?? ""} lets the batches of 24 hours have ${inADay(rule)} ${what}; with this one they would have up to ${used}. Make it smaller, name max_tokens, or wait.`;
  return new RelayError({ status: 429, type: kind, code: "rate_limit_exceeded", param: "input_file_id", message });
}
