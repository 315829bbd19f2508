import type { Sums } from "./questions.ts";

/** The sums that usage is counted in, in the order of their expressions. */
export const SUM_COLUMNS = [
  "requests",
  "refused",
  "errors",
  "quota",
  "cost",
  "unknown_requests",
  "unknown_quota",
  "prompt_tokens",
  "cached_tokens",
  "completion_tokens",
] as const;

/** Names of sums in answers, in the order of SUM_COLUMNS. */
export const SUM_NAMES = [
  "requests",
  "refused",
  "errors",
  "quota",
  "cost",
  "unknownRequests",
  "unknownQuota",
  "promptTokens",
  "cachedTokens",
  "completionTokens",
] as const satisfies readonly (keyof Sums)[];

export const NO_SUMS: Sums = {
  requests: 0,
  refused: 0,
  errors: 0,
  quota: 0,
  cost: 0,
  unknownRequests: 0,
  unknownQuota: 0,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
};

export function addSums(left: Sums, right: Sums): Sums {
  const sums = { ...NO_SUMS };
  for (const name of SUM_NAMES) sums[name] = left[name] + right[name];
  return sums;
}

export function subtractSums(left: Sums, right: Sums): Sums {
  const sums = { ...NO_SUMS };
  for (const name of SUM_NAMES) sums[name] = left[name] - right[name];
  return sums;
}

/** Returns the sums times a factor, in whole numbers. */
export function partOfSums(sums: Sums, part: number): Sums {
  const parts = { ...NO_SUMS };
  for (const name of SUM_NAMES) parts[name] = Math.round(sums[name] * part);
  return parts;
}
