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

/** Outcomes: 0 good, 1 refused, 2 failed, 3 to 5 the same of unknown cost, 6 a refund (see LOG_OUTCOME). */
const EXPRESSIONS = (count: (condition: string) => string): Record<(typeof SUM_COLUMNS)[number], string> => ({
  requests: count("outcome in (0, 2, 3, 5)"),
  refused: count("outcome in (1, 4)"),
  errors: count("outcome in (2, 5)"),
  quota: "sum(case when outcome = 6 then -quota else quota end)",
  cost: "sum(cost)",
  unknown_requests: count("outcome in (3, 4, 5)"),
  unknown_quota: "sum(case when outcome in (3, 4, 5) then quota else 0 end)",
  prompt_tokens: "sum(prompt_tokens)",
  cached_tokens: "sum(cached_tokens)",
  completion_tokens: "sum(completion_tokens)",
});

function listOf(expressions: Record<(typeof SUM_COLUMNS)[number], string>): string {
  return SUM_COLUMNS.map((name) => `coalesce(${expressions[name]}, 0)::bigint as ${name}`).join(", ");
}

/** Sums of entries, for a `group by`. */
export const SUMS_OF_ENTRIES = listOf(EXPRESSIONS((condition) => `count(*) filter (${condition})`));

/** Sums of rows of the rollup. */
export const SUMS_OF_ROLLUP = listOf(EXPRESSIONS((condition) => `sum(n) filter (${condition})`));

/** Sums of sums. */
export const SUMS_OF_SUMS = SUM_COLUMNS.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(", ");
