import * as z from "zod/mini";
import { OTHER_PRICE_UNITS } from "../prices/price-unit.ts";
import { refusalValuesSchema } from "./refusal-values.ts";

/** An impossible token report: its kind, the reported number, and the number counted instead. */
export const usageNoteSchema = z.object({
  code: z.enum(["odd-prompt-tokens", "odd-completion-tokens"]),
  reported: z.number(),
  counted: z.int(),
});

export type UsageNote = z.infer<typeof usageNoteSchema>;

/**
 * Why a channel was passed over. `share`: not drawn; `no-weight`: weight 0 beside positive ones; `dearer`, `slow`: only
 * in pool mode `cheapest`. The log stores positions in this list: append only.
 */
export const PASS_REASONS = [
  "share",
  "lower-priority",
  "no-weight",
  "rate-limited",
  "failing",
  "refused",
  // No longer given; the positions of the others are stored.
  "not-callable",
  "path-not-served",
  "other-group",
  "other-format",
  "recovering",
  "dearer",
  "slow",
  "no-price",
  "above-ceiling",
] as const;

export type PassReason = (typeof PASS_REASONS)[number];

/** Why a channel was chosen for an attempt. */
export const logChoiceSchema = z.object({
  /**
   * `only`: no other candidate; `share`: drawn by weight; `turn`: next in rotation; `conversation`: sticky routing;
   * `cost`: among the cheapest; `last-resort`: all others failed recently.
   */
  by: z.enum(["only", "share", "turn", "conversation", "pinned", "last-resort", "cost"]),
  share: z.int(),
  /** The other channels that serve the model, those in cooldown first, each with the reason. */
  passed: z.array(
    z.object({
      channel: z.int(),
      reason: z.enum(PASS_REASONS),
      amount: z.int(),
    }),
  ),
  /** Number of further channels passed over. */
  more: z.int(),
});

export type LogChoice = z.infer<typeof logChoiceSchema>;

export const logAttemptSchema = z.object({
  channel: z.int(),
  status: z.int(),
  failure: z.string(),
  duration_ms: z.int(),
  /** Model of this attempt, if it differs from the entry's. */
  model: z.optional(z.string()),
  /** Last four characters of the key, for administrators; absent for channels of one key. */
  key_end: z.optional(z.string()),
  choice: z.optional(logChoiceSchema),
});

export const CHARGED_KINDS = [
  "input",
  "cached-input",
  "cache-write",
  "long-cache-write",
  "audio-input",
  "cached-audio",
  "image-input",
  "output",
  "reasoning",
  "audio-output",
  "image-output",
  "tool-fee",
  // Excess of the provider's reported cost over all other kinds together, in quota.
  "provider-cost",
  "image",
  "character",
  "second",
  "search",
  "request",
] as const;

/** The formula in parts, for texts in any language. */
const logFormulaSchema = z.object({
  /** Count of each kind, and its factors ("0.5", "200/60"). */
  terms: z.array(z.object({ kind: z.enum(CHARGED_KINDS), count: z.int(), factors: z.array(z.string()) })),
  quota: z.int(),
  /** Prompt size above which these ratios apply to all tokens. */
  long_above: z.optional(z.int()),
  source: z.enum(["option", "list", "fallback"]),
});

export type LogFormula = z.infer<typeof logFormulaSchema>;

const logChargeSchema = z.object({
  model_ratio: z.number(),
  completion_ratio: z.number(),
  group_ratio: z.number(),
  cached_tokens: z.int(),
  units: z.optional(z.object({ unit: z.enum(OTHER_PRICE_UNITS), count: z.number() })),
  /** `usage`: reported; `estimated`: counted here; `partial`: the stream was cut. */
  rule: z.enum(["usage", "estimated", "partial"]),
  formula: z.string(),
  formula_parts: logFormulaSchema,
});

/** Endpoints without completion tokens. */
export const INPUT_ONLY = ["embeddings", "moderations", "rerank"] as const;

export const logDetailSchema = z.object({
  /** End of the request: one of LOG_ENDS, or the code of a refusal. */
  end: z.string(),
  first_byte_ms: z.int(),
  upstream_model: z.string(),
  /** Name in the request, if another model answered: an alias, or the first model of a request with fallbacks. */
  alias: z.optional(z.string()),
  input_only: z.optional(z.enum(INPUT_ONLY)),
  /** Group whose channels and prices applied; absent for a refusal. */
  group: z.optional(z.string()),
  charge: z.optional(logChargeSchema),
  /** Last characters of the key that was used, while the token had two valid ones. */
  key_hint: z.optional(z.string()),
  refusal: z.optional(z.string()),
  /** Values in the text of the refusal; absent if code and entry suffice. */
  refusal_values: z.optional(refusalValuesSchema),
  refusal_count: z.optional(z.int()),
  /** Effect of the channel's system prompt: replaced the leading system message, or was added before it. */
  system_prompt: z.optional(z.enum(["replaced", "added"])),
  attempts: z.array(logAttemptSchema),
  /** Parts of `content` besides the charge: dropped fields, and remarks for operators. Absent if `content` is a text of its own. */
  told: z.optional(z.object({ dropped: z.array(z.string()), notes: z.optional(z.array(usageNoteSchema)) })),
  batch: z.optional(z.object({ lines: z.int(), failed: z.int(), factor: z.number() })),
});

export type LogDetail = z.infer<typeof logDetailSchema>;
