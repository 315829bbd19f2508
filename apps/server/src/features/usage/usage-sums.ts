import type { FirstByte } from "@one-api/contract/usage/first-byte";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { addFirstBytes, type FirstBytes, firstByteWithin, NO_FIRST_BYTES } from "./first-bytes.ts";

/**
 * What is added up of relayed requests. `requests` are those that a provider was asked for, `errors` those among them that failed by no fault of
 * their caller, `refused` those that the gateway refused. `cost` is what is known of it; `unknown_requests` have none, and were charged
 * `unknown_quota`. `first_log` is the sum of 1,000 × ln(ms to the first byte) of the `timed` streams.
 */
export const SUM_NAMES = [
  "requests",
  "refused",
  "errors",
  "quota",
  "cost",
  "unknown_requests",
  "unknown_quota",
  "prompt_tokens",
  "completion_tokens",
  "timed",
  "first_log",
] as const;

export type SumName = (typeof SUM_NAMES)[number];

export interface Sums extends Readonly<Record<SumName, number>> {
  /** Of everybody's requests, those of a model or a channel: how long the `timed` streams took. What is kept by user or token has none. */
  readonly firstBytes: FirstBytes;
}

type ChangingSums = Record<SumName, number> & { firstBytes: FirstBytes };

/** A refund lowers what was charged, and is no request. */
const REFUND = sql`type = ${sql.lit(LOG_TYPE.refund)}`;
const REQUEST = sql`type = ${sql.lit(LOG_TYPE.consumption)}`;

const REFUSED = sql`result in ('refused', 'over-budget')`;
/** A 4xx of the provider is the caller's fault, unless it is about the channel's own key or account. */
const FAILED = sql`(result in ('cut', 'provider-limited', 'provider-failed', 'connection', 'timeout', 'gateway-failed')
  or (result = 'provider-refused' and status_code in (401, 402, 403)))`;
const TIMED = sql`(${REQUEST} and is_stream = 1 and first_byte_ms > 0)`;

const countOf = (condition: RawBuilder<unknown>) => sql`sum(case when ${condition} then 1 else 0 end)`;

/** How the sums are made of rows of the log, in the order of the names, but for the last two. */
const UNTIMED_SUMS: RawBuilder<unknown> = sql.join(
  [
    sql`${countOf(sql`${REQUEST} and not (${REFUSED})`)} as requests`,
    sql`${countOf(sql`${REQUEST} and ${REFUSED}`)} as refused`,
    sql`${countOf(sql`${REQUEST} and ${FAILED}`)} as errors`,
    sql`sum(case when ${REFUND} then -quota else quota end) as quota`,
    sql`sum(case when cost > 0 then cost else 0 end) as cost`,
    sql`${countOf(sql`cost < 0`)} as unknown_requests`,
    sql`sum(case when cost < 0 then quota else 0 end) as unknown_quota`,
    sql`sum(prompt_tokens) as prompt_tokens`,
    sql`sum(completion_tokens) as completion_tokens`,
  ],
  sql`, `,
);

/** Rows that an older version took out of the sums, each of a request. */
export const CORRECTIONS: RawBuilder<unknown> = sql`(select usage_corrections.*, ${sql.lit(LOG_TYPE.consumption)} as type from usage_corrections) as corrected`;

/** How all sums are made of rows. */
export const SUMS_OF_ROWS: RawBuilder<unknown> = sql`${UNTIMED_SUMS}, ${countOf(TIMED)} as timed,
  cast(coalesce(round(1000 * sum(case when ${TIMED} then ln(cast(first_byte_ms as double precision)) end)), 0) as bigint) as first_log`;

/** The same with how long each timed stream took, in ms with commas between, in place of what is made of that. */
export const SUMS_WITH_TIMES: RawBuilder<unknown> = sql`${UNTIMED_SUMS},
  coalesce(string_agg(cast(case when ${TIMED} then first_byte_ms end as text), ','), '') as times`;

/** What a row is, as far as sums tell it apart: a request by how it ended, or a refund. */
const OUTCOME = { good: 0, refused: 1, failed: 2, refund: 3 } as const;

/** What of a row its sums are made of, in the order of `CountedEntry`. Most end well, which is looked at first. */
export const COUNTED_COLUMNS: RawBuilder<unknown> = sql`case when ${REFUND} then ${sql.lit(OUTCOME.refund)} when result = 'ok' then ${sql.lit(OUTCOME.good)}
  when ${REFUSED} then ${sql.lit(OUTCOME.refused)} when ${FAILED} then ${sql.lit(OUTCOME.failed)} else ${sql.lit(OUTCOME.good)} end,
  quota, cost, prompt_tokens, completion_tokens`;

/** ms to the first byte of a timed stream, else 0. */
export const TIME_OF_ROW: RawBuilder<unknown> = sql`case when ${TIMED} then first_byte_ms else 0 end`;

export type CountedEntry = readonly [
  /** One of `OUTCOME`. */
  outcome: number,
  quota: number,
  cost: number,
  promptTokens: number,
  completionTokens: number,
];

/** Adds an entry to all sums but those of times. */
export function addEntry(sums: Record<SumName, number>, entry: CountedEntry): void {
  const [outcome, quota, cost, promptTokens, completionTokens] = entry;
  if (outcome === OUTCOME.refund) {
    sums.quota -= quota;
    return;
  }
  if (outcome === OUTCOME.refused) sums.refused += 1;
  else sums.requests += 1;
  if (outcome === OUTCOME.failed) sums.errors += 1;
  sums.quota += quota;
  if (cost < 0) {
    sums.unknown_requests += 1;
    sums.unknown_quota += quota;
  } else sums.cost += cost;
  sums.prompt_tokens += promptTokens;
  sums.completion_tokens += completionTokens;
}

/** The rows that are added up. */
export const COUNTED: RawBuilder<SqlBool> = sql`hidden = 0 and (${REQUEST} or ${REFUND})`;

/** Seconds of a slot, the smallest time that is told apart: days begin at half hours in some places. */
export const SLOT_SECONDS = 1_800;

export const SLOT_OF_ROW = sql`created_at / ${sql.lit(SLOT_SECONDS)}`;

export const NO_SUMS: Sums = {
  requests: 0,
  refused: 0,
  errors: 0,
  quota: 0,
  cost: 0,
  unknown_requests: 0,
  unknown_quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  timed: 0,
  first_log: 0,
  firstBytes: NO_FIRST_BYTES,
};

/** Both together. */
export function addSums(left: Sums, right: Sums): Sums {
  const sums: ChangingSums = { ...left, firstBytes: addFirstBytes(left.firstBytes, right.firstBytes) };
  for (const name of SUM_NAMES) sums[name] += right[name];
  return sums;
}

/** What takes them away where it is added. */
export function negativeSums(of: Sums): Sums {
  const sums: ChangingSums = { ...of, firstBytes: of.firstBytes.map((count) => -count) };
  for (const name of SUM_NAMES) sums[name] = -of[name];
  return sums;
}

/** Such a part of them, from 0 to 1, in whole numbers. */
export function partOfSums(of: Sums, part: number): Sums {
  const sums: ChangingSums = { ...of, firstBytes: of.firstBytes.map((count) => count * part) };
  for (const name of SUM_NAMES) sums[name] = Math.round(of[name] * part);
  return sums;
}

/** Until the first byte of streams came, as the API answers it. */
export function presentFirstByte({ firstBytes, first_log: logs, timed }: Sums): FirstByte {
  return {
    first_byte_ms: timed === 0 ? null : Math.round(Math.exp(logs / 1_000 / timed)),
    first_byte_p50_ms: firstByteWithin(0.5, firstBytes, timed),
    first_byte_p95_ms: firstByteWithin(0.95, firstBytes, timed),
  };
}
