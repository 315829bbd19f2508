import {
  CHARGED_KINDS,
  logAttemptSchema,
  logChoiceSchema,
  logDetailSchema,
  usageNoteSchema,
} from "@one-api/contract/logs/log-detail";
import { z } from "zod";
import type { LogRow } from "./log.repository.ts";

export type UsageTermKind = (typeof CHARGED_KINDS)[number];

const usageChargeSchema = z.object({
  rule: z.enum(["usage", "estimated", "partial"]),
  source: z.enum(["option", "list", "fallback"]),
  model_ratio: z.number(),
  group_ratio: z.number(),
  completion_ratio: z.number(),
  /** The prompt exceeded this number of tokens, so these ratios apply to all tokens. */
  long_above: z.int().optional(),
  /** Kind, number of tokens, and ratio to a token of plain input. */
  terms: z.array(z.tuple([z.enum(CHARGED_KINDS), z.int(), z.number()])),
});

export type UsageCharge = z.infer<typeof usageChargeSchema>;

const usageChoiceSchema = z.object({
  by: logChoiceSchema.shape.by,
  share: z.int().optional(),
  passed: z.array(z.union([z.tuple([z.int(), z.int()]), z.tuple([z.int(), z.int(), z.int()])])).optional(),
  more: z.int().optional(),
});

export type UsageChoice = z.infer<typeof usageChoiceSchema>;

const usageAttemptSchema = z.object({ ...logAttemptSchema.shape, choice: usageChoiceSchema.optional() });

type UsageAttempt = z.infer<typeof usageAttemptSchema>;

/** The `detail` of a relayed request: numbers and names. The API's texts are built when an entry is read. */
const usageDetailSchema = z.object({
  end: logDetailSchema.shape.end,
  upstream_model: logDetailSchema.shape.upstream_model,
  alias: logDetailSchema.shape.alias,
  group: logDetailSchema.shape.group,
  key_hint: logDetailSchema.shape.key_hint,
  system_prompt: logDetailSchema.shape.system_prompt,
  batch: logDetailSchema.shape.batch,
  input_only: logDetailSchema.shape.input_only,
  refusal: logDetailSchema.shape.refusal,
  refusal_values: logDetailSchema.shape.refusal_values,
  refusal_count: logDetailSchema.shape.refusal_count,
  attempts: z.array(usageAttemptSchema),
  dropped: z.array(z.string()).optional(),
  notes: z.array(usageNoteSchema).optional(),
  charge: usageChargeSchema.optional(),
});

export type UsageDetail = z.infer<typeof usageDetailSchema>;

type DetailColumns = Pick<
  LogRow,
  "model_name" | "channel_id" | "status_code" | "first_byte_ms" | "prompt_tokens" | "completion_tokens"
>;

/** Compact form, as every request stores one. `readDetail` restores the defaults. */
const storedDetailSchema = usageDetailSchema.partial({ end: true, upstream_model: true }).extend({
  form: z.literal(2),
  attempts: z.array(usageAttemptSchema.extend({ choice: usageChoiceSchema.nullable() }).partial()).optional(),
  charge: usageChargeSchema.partial({ rule: true, source: true, group_ratio: true, terms: true }).optional(),
});

type StoredDetail = z.infer<typeof storedDetailSchema>;
type StoredAttempt = NonNullable<StoredDetail["attempts"]>[number];
type StoredCharge = NonNullable<StoredDetail["charge"]>;

/** The text of `detail`, without values that the row's other columns have. */
export function writeDetail(detail: UsageDetail, columns: DetailColumns): string {
  const stored: StoredDetail = {
    form: 2,
    ...detail,
    end: detail.end === "complete" ? undefined : detail.end,
    upstream_model: detail.upstream_model === columns.model_name ? undefined : detail.upstream_model,
    attempts: storedAttempts(detail.attempts, columns),
    charge: detail.charge && storedCharge(detail.charge, columns),
  };
  return JSON.stringify(stored);
}

/** Undefined if it is not the detail of a relayed request, or of another form. */
export function readDetail(json: unknown, columns: DetailColumns): UsageDetail | undefined {
  const stored = storedDetailSchema.safeParse(json).data;
  return stored && completeDetail(stored, columns);
}

function completeDetail({ form: _form, ...stored }: StoredDetail, columns: DetailColumns): UsageDetail {
  const { end = "complete", upstream_model = columns.model_name, attempts = [{}], charge, ...rest } = stored;
  return {
    end,
    upstream_model,
    ...rest,
    attempts: attempts.map((attempt) => completeAttempt(attempt, columns)),
    ...(charge && { charge: completeCharge(charge, columns) }),
  };
}

function storedAttempts(attempts: readonly UsageAttempt[], columns: DetailColumns): StoredAttempt[] | undefined {
  const stored = attempts.map((attempt) => storedAttempt(attempt, columns));
  const [only] = stored;
  return stored.length === 1 && only !== undefined && Object.keys(only).length === 0 ? undefined : stored;
}

function storedAttempt(attempt: UsageAttempt, columns: DetailColumns): StoredAttempt {
  const { channel, status, failure, duration_ms, model, key_end, choice } = attempt;
  const stored: StoredAttempt = {};
  if (channel !== columns.channel_id) stored.channel = channel;
  if (status !== columns.status_code) stored.status = status;
  if (failure !== "") stored.failure = failure;
  if (duration_ms !== columns.first_byte_ms) stored.duration_ms = duration_ms;
  if (model !== undefined && model !== columns.model_name) stored.model = model;
  if (key_end !== undefined) stored.key_end = key_end;
  if (choice === undefined) stored.choice = null;
  else if (!isOnlyChoice(choice)) stored.choice = choice;
  return stored;
}

function isOnlyChoice({ by, share, passed, more }: UsageChoice): boolean {
  return by === "only" && share === undefined && passed === undefined && more === undefined;
}

function completeAttempt(stored: StoredAttempt, columns: DetailColumns): UsageAttempt {
  const { channel = columns.channel_id, status = columns.status_code, failure = "" } = stored;
  const { duration_ms = columns.first_byte_ms, model, key_end, choice = { by: "only" } } = stored;
  const ofModel = model === undefined ? {} : { model };
  const ofKey = key_end === undefined ? {} : { key_end };
  return { channel, status, failure, duration_ms, ...ofModel, ...ofKey, ...(choice !== null && { choice }) };
}

function storedCharge(charge: UsageCharge, columns: DetailColumns): StoredCharge {
  const { rule, source, model_ratio, group_ratio, completion_ratio, long_above, terms } = charge;
  const stored: StoredCharge = { model_ratio, completion_ratio };
  if (rule !== "usage") stored.rule = rule;
  if (source !== "list") stored.source = source;
  if (group_ratio !== 1) stored.group_ratio = group_ratio;
  if (long_above !== undefined) stored.long_above = long_above;
  if (!arePlain(terms, completion_ratio, columns)) stored.terms = terms;
  return stored;
}

function completeCharge(stored: StoredCharge, columns: DetailColumns): UsageCharge {
  const { rule = "usage", source = "list", group_ratio = 1, completion_ratio } = stored;
  const { terms = plainTerms(completion_ratio, columns) } = stored;
  return { ...stored, rule, source, group_ratio, terms };
}

/** Terms if all tokens of the prompt have one price, and all of the answer. */
function plainTerms(
  completionRatio: number,
  { prompt_tokens, completion_tokens }: DetailColumns,
): UsageCharge["terms"] {
  const terms: UsageCharge["terms"] = [
    ["input", prompt_tokens, 1],
    ["output", completion_tokens, completionRatio],
  ];
  return terms.filter(([, tokens]) => tokens > 0);
}

function arePlain(
  terms: UsageCharge["terms"],
  completionRatio: number,
  { prompt_tokens, completion_tokens }: DetailColumns,
): boolean {
  let count = 0;
  if (prompt_tokens > 0 && !isTerm(terms[count++], "input", prompt_tokens, 1)) return false;
  if (completion_tokens > 0 && !isTerm(terms[count++], "output", completion_tokens, completionRatio)) return false;
  return terms.length === count;
}

function isTerm(
  term: UsageCharge["terms"][number] | undefined,
  kind: UsageCharge["terms"][number][0],
  tokens: number,
  ratio: number,
): boolean {
  return term !== undefined && term[0] === kind && term[1] === tokens && term[2] === ratio;
}
