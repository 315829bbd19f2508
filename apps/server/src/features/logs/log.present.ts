import { LOG_RESULTS } from "@one-api/contract/constants";
import type { Log, LogResult } from "@one-api/contract/logs/log";
import {
  type LogChoice,
  type LogDetail,
  type LogFormula,
  PASS_REASONS,
  type UsageNote,
} from "@one-api/contract/logs/log-detail";
import { type LogEvent, logEventSchema } from "@one-api/contract/logs/log-event";
import { FEES_PER_DOLLAR } from "@one-api/contract/prices/pricing";
import { OTHER_PRICE_UNITS, type PriceUnit, TOKENS_OF_UNIT } from "@one-api/contract/prices/price-unit";
import { z } from "zod";
import type { LogRow } from "./log.repository.ts";
import {
  readDetail,
  type UsageCharge,
  type UsageChoice,
  type UsageDetail,
  type UsageTermKind,
} from "./usage-detail.ts";

/** The entry in the API's form. Channels are for administrators; others get 0. */
export function presentLog(row: LogRow, forAdmin: boolean, channelNames: ReadonlyMap<number, string>): Log {
  const { content, detail, event } = readTexts(row);
  return {
    id: row.id,
    user_id: row.user_id,
    created_at: row.created_at,
    type: row.type,
    content,
    username: row.username,
    token_id: row.token_id,
    token_name: row.token_name,
    model_name: row.model_name,
    quota: Math.max(0, row.quota),
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    channel: forAdmin ? row.channel_id : 0,
    request_id: row.request_id,
    elapsed_time: row.elapsed_time,
    is_stream: row.is_stream === 1,
    result: isResult(row.result) ? row.result : "",
    status_code: row.status_code,
    channel_name: forAdmin ? (channelNames.get(row.channel_id) ?? "") : "",
    ...(forAdmin && row.cost > 0 ? { cost: row.cost } : {}),
    ...(event === undefined ? {} : { event }),
    ...(detail === undefined ? {} : { detail: forAdmin ? detail : withoutRouting(detail) }),
  };
}

function isResult(text: string): text is LogResult {
  return LOG_RESULTS.some((result) => result === text);
}

const eventDetailSchema = z.object({ event: logEventSchema });

function readTexts(row: LogRow): { content: string; detail: LogDetail | undefined; event?: LogEvent } {
  const { content, detail, quota, shortfall } = row;
  const json = parseJson(detail);
  const eventDetail = eventDetailSchema.safeParse(json).data;
  if (eventDetail !== undefined) return { content, detail: undefined, event: eventDetail.event };
  const usage = readDetail(json, row);
  if (usage === undefined) return { content, detail: undefined };
  const { charge, dropped = [], notes, attempts: stored, ...rest } = usage;
  const attempts = stored.map(({ choice, ...attempt }) =>
    choice === undefined ? attempt : { ...attempt, choice: presentChoice(choice) },
  );
  const isBuilt = content === "";
  const known = {
    ...rest,
    first_byte_ms: row.first_byte_ms,
    attempts,
    ...(isBuilt && { told: { dropped, notes } }),
  };
  return {
    content: isBuilt ? describeUsage(usage) : content,
    detail: charge === undefined ? known : { ...known, charge: presentCharge(charge, quota + shortfall) },
  };
}

function presentChoice({ by, share = 0, passed = [], more = 0 }: UsageChoice): LogChoice {
  return {
    by,
    share,
    passed: passed.flatMap(([channel, place, amount = 0]) => {
      const reason = PASS_REASONS[place];
      return reason === undefined ? [] : [{ channel, reason, amount }];
    }),
    more,
  };
}

function presentCharge(charge: UsageCharge, quota: number): LogDetail["charge"] {
  const { model_ratio, completion_ratio, group_ratio, rule, terms, source, long_above } = charge;
  const formula = {
    terms: termsOf(charge),
    quota,
    ...(long_above === undefined ? {} : { long_above }),
    source,
  };
  const cached = terms.find(([kind]) => kind === "cached-input");
  const [units] = terms.flatMap(([kind, count]) => (isUnit(kind) ? [{ unit: kind, count }] : []));
  return {
    model_ratio,
    completion_ratio,
    group_ratio,
    cached_tokens: cached?.[1] ?? 0,
    ...(units === undefined ? {} : { units }),
    rule,
    formula: describeCharge(charge, formula),
    formula_parts: formula,
  };
}

const RULE_NOTES: Record<UsageCharge["rule"], string> = {
  usage: "",
  estimated: " Counted here: the provider reported no usage.",
  partial: " The answer was cut off: charged for what was delivered.",
};

function describeUsage(detail: UsageDetail): string {
  const { charge, dropped = [], notes = [] } = detail;
  const left = dropped.length === 0 ? "" : ` Left out, for the provider has no place for it: ${dropped.join(", ")}.`;
  const about =
    charge === undefined
      ? `Nothing was charged: ${detail.end}.`
      : describeRatios(charge, detail.input_only === undefined);
  return [`${describeBatch(detail.batch)}${about}${left}`, ...notes.map(describeNote)].join(" ");
}

const REPORTED: Record<UsageNote["code"], string> = {
  "odd-prompt-tokens": "prompt tokens",
  "odd-completion-tokens": "completion tokens",
};

function describeNote({ code, reported, counted }: UsageNote): string {
  return `The provider reported ${reported} ${REPORTED[code]}, which cannot be: ${counted} were counted.`;
}

function describeBatch(batch: UsageDetail["batch"]): string {
  if (batch === undefined) return "";
  const { lines, failed, factor } = batch;
  const errors = failed === 0 ? "" : `, and ${failed} with an error that cost nothing`;
  const price = factor === 1 ? "" : factor === 0.5 ? " Each at half the price." : ` Each at ${factor} times the price.`;
  return `A batch: ${lines} answered ${lines === 1 ? "line" : "lines"}${errors}.${price} `;
}

function describeRatios(charge: UsageCharge, givesTokens: boolean): string {
  const { model_ratio, group_ratio, completion_ratio, rule, source, long_above: above } = charge;
  const isByTokens = !charge.terms.some(([kind]) => isUnit(kind));
  const completion = givesTokens && isByTokens ? `, completion ratio ${completion_ratio}` : "";
  const long = above === undefined ? "" : ` The price of prompts of more than ${above} tokens.`;
  const unknown =
    source === "fallback"
      ? " No price is known for this model: this is the fallback price. Set one in ModelRatio or ModelPrices."
      : "";
  return `Model ratio ${model_ratio} × group ratio ${group_ratio}${completion}.${long}${RULE_NOTES[rule]}${unknown}`;
}

const RATIO_DIGITS = 12;

function termsOf({ terms }: UsageCharge): LogFormula["terms"] {
  const nothing: UsageCharge["terms"] = [["input", 0, 1]];
  const all = terms.some(([kind]) => kind === "input" || isUnit(kind)) ? terms : [...nothing, ...terms];
  return all.map((term) => ({ kind: term[0], count: term[1], factors: factorsOf(term) }));
}

/** The charge as a formula in quota that users can verify. */
function describeCharge({ model_ratio, group_ratio }: UsageCharge, { terms, quota, long_above }: LogFormula): string {
  const parts = terms.map(({ kind, count, factors }) => [countOf(kind, count), ...factors].join(" × "));
  const long = long_above === undefined ? "" : `, as the prompt has more than ${long_above} tokens`;
  return `ceil((${parts.join(" + ")}) × ${model_ratio} × ${group_ratio}) = ${quota}${long}`;
}

function countOf(kind: UsageTermKind, count: number): string {
  if (kind === "tool-fee") return `${count} tool fees of $${1 / FEES_PER_DOLLAR}`;
  const name = kind.replaceAll("-", " ");
  return `${count} ${isUnit(kind) && count !== 1 ? `${name}s` : name}`;
}

/** Factors of a term. Its unit's equivalent in tokens is a factor of its own. */
function factorsOf([kind, , ratio]: Term): string[] {
  const { tokens, per } = TOKENS_OF_UNIT[isUnit(kind) ? kind : "token"];
  const own = Number(((ratio * per) / tokens).toPrecision(SHOWN_DIGITS[kind] ?? RATIO_DIGITS));
  return [
    ...(own === 1 ? [] : [String(own)]),
    ...(tokens === 1 ? [] : [per === 1 ? String(tokens) : `${tokens}/${per}`]),
  ];
}

type Term = UsageCharge["terms"][number];

function isUnit(kind: UsageTermKind): kind is Exclude<PriceUnit, "token"> {
  return (OTHER_PRICE_UNITS as readonly string[]).includes(kind);
}

/** A sixtieth has infinitely many digits. */
const SHOWN_DIGITS: Partial<Record<UsageTermKind, number>> = { second: 9 };

function parseJson(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const ADDRESS = /\bhttps?:\/\/\S+/g;

function withoutRouting(detail: LogDetail): LogDetail {
  const attempts = detail.attempts.map(({ choice: _choice, key_end: _key, ...attempt }) => ({
    ...attempt,
    channel: 0,
    failure: attempt.failure.replaceAll(ADDRESS, "…"),
  }));
  return { ...detail, upstream_model: "", attempts };
}
