import { SUM_COLUMNS } from "../usage-sums.ts";

/** Outcomes: 0 good, 1 refused, 2 failed, 3 to 5 the same of unknown cost, 6 a refund (see LOG_OUTCOME). */
const EXPRESSIONS: Readonly<Record<(typeof SUM_COLUMNS)[number], string>> = {
  requests: "sum(n) filter (outcome in (0, 2, 3, 5))",
  refused: "sum(n) filter (outcome in (1, 4))",
  errors: "sum(n) filter (outcome in (2, 5))",
  quota: "sum(case when outcome = 6 then -quota else quota end)",
  cost: "sum(cost)",
  unknown_requests: "sum(n) filter (outcome in (3, 4, 5))",
  unknown_quota: "sum(quota) filter (outcome in (3, 4, 5))",
  prompt_tokens: "sum(prompt_tokens)",
  cached_tokens: "sum(cached_tokens)",
  completion_tokens: "sum(completion_tokens)",
};

/** Sums of rows of the rollup, or of entries that are counted by outcome (COUNTS). */
export const SUMS_OF_COUNTS = SUM_COLUMNS.map((name) => `coalesce(${EXPRESSIONS[name]}, 0)::bigint as ${name}`).join(
  ", ",
);

/** Sums of entries for each outcome. Plain sums of columns take half the time of sums with conditions. */
export const COUNTS = [
  "count(*) as n",
  ...["quota", "cost", "prompt_tokens", "cached_tokens", "completion_tokens"].map(
    (column) => `sum(${column})::bigint as ${column}`,
  ),
].join(", ");

export const SUMS_OF_SUMS = SUM_COLUMNS.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(", ");
