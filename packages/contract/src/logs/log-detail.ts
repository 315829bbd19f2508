import * as z from "zod/mini";
import { OTHER_PRICE_UNITS } from "../prices/price-unit.ts";
import { refusalValuesSchema } from "./refusal-values.ts";

/** A report of tokens that cannot be: of which, what the provider reported, and what was counted instead. */
export const usageNoteSchema = z.object({
  code: z.enum(["odd-prompt-tokens", "odd-completion-tokens"]),
  reported: z.number(),
  counted: z.int(),
});

export type UsageNote = z.infer<typeof usageNoteSchema>;

/**
 * Why a channel was passed over when another was chosen. `share`: it might have been chosen as well; `no-weight`: weight 0 beside positive
 * weights; `other-group`: it serves the model, but to other groups; `other-format`: its provider cannot say what was asked. Entries of the log
 * hold their places in this list, so new ones go to the end.
 */
export const PASS_REASONS = [
  "share",
  "lower-priority",
  "no-weight",
  "rate-limited",
  "failing",
  "refused",
  // Entries of earlier versions have it.
  "not-callable",
  "path-not-served",
  "other-group",
  "other-format",
] as const;

export type PassReason = (typeof PASS_REASONS)[number];

/** How a channel came to be tried, as things stood at that moment. */
export const logChoiceSchema = z.object({
  /**
   * `only`: no other could; `share`: at random, by weight; `turn`: its turn had come; `conversation`: calls of the conversation go there;
   * `pinned`: the caller named it; `last-resort`: all that were left had failed lately.
   */
  by: z.enum(["only", "share", "turn", "conversation", "pinned", "last-resort"]),
  /** Its part of the requests then, in percent; 0 where nothing was shared. */
  share: z.int(),
  /** Others that serve the model, those that rested first, and why they were not tried. */
  passed: z.array(
    z.object({
      channel: z.int(),
      reason: z.enum(PASS_REASONS),
      /** Of a share: its part in percent; of one that rested: the seconds that were left; else 0. */
      amount: z.int(),
    }),
  ),
  /** How many more were passed over. */
  more: z.int(),
});

export type LogChoice = z.infer<typeof logChoiceSchema>;

/** One attempt at an upstream. */
export const logAttemptSchema = z.object({
  channel: z.int(),
  /** HTTP status of the upstream; 0 when none arrived. */
  status: z.int(),
  /** Why the attempt failed; empty when it served the answer. */
  failure: z.string(),
  duration_ms: z.int(),
  /** Why this channel; for administrators, absent from entries of older versions. */
  choice: z.optional(logChoiceSchema),
});

/** What is charged for: kinds of model tokens with a price of their own, tools' fees, and what some models are priced by instead. */
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
  // Entries of older versions.
  "web-search",
  "tool-fee",
  // What the cost that the provider reports is more than all other kinds together, in quota.
  "provider-cost",
  "image",
  "character",
  "second",
  "search",
] as const;

/** The formula in parts, for who tells it in another language. */
const logFormulaSchema = z.object({
  /** What was used, and by which numbers each is multiplied ("0.5", "200/60"). */
  terms: z.array(z.object({ kind: z.enum(CHARGED_KINDS), count: z.int(), factors: z.array(z.string()) })),
  /** What it comes to, in quota. */
  quota: z.int(),
  /** The prompt had more tokens than this, which made all of them cost these ratios. */
  long_above: z.optional(z.int()),
  /** Where the model ratio is from: a setting, the maintained list, or nowhere, so that it was guessed. */
  source: z.enum(["option", "list", "fallback"]),
});

export type LogFormula = z.infer<typeof logFormulaSchema>;

/** What a consumption was charged for, with the numbers that went into the formula. */
const logChargeSchema = z.object({
  model_ratio: z.number(),
  completion_ratio: z.number(),
  group_ratio: z.number(),
  cached_tokens: z.int(),
  /** What the price is of where it is not of tokens, and how many of these were charged. */
  units: z.optional(z.object({ unit: z.enum(OTHER_PRICE_UNITS), count: z.number() })),
  /** `usage`: as reported; `estimated`: counted here; `partial`: the stream was cut; `none`: nothing was delivered. */
  rule: z.enum(["usage", "estimated", "partial", "none"]),
  formula: z.string(),
  /** Absent from entries of older versions. */
  formula_parts: z.optional(logFormulaSchema),
});

/** Endpoints that give no tokens back. */
export const INPUT_ONLY = ["embeddings", "moderations", "rerank"] as const;

export const logDetailSchema = z.object({
  /** How the request ended: one of LOG_ENDS, or the code of the refusal that ended it; older versions may have had others. */
  end: z.string(),
  first_byte_ms: z.int(),
  upstream_model: z.string(),
  /** What was asked for, where that gives no tokens back; absent for everything else, and from entries of older versions. */
  input_only: z.optional(z.enum(INPUT_ONLY)),
  /** The group whose channels and prices applied; absent from entries of older versions. */
  group: z.optional(z.string()),
  charge: z.optional(logChargeSchema),
  /** The end of the key that was used, where the token had two good ones. */
  key_hint: z.optional(z.string()),
  /** Code of the refusal when the gateway refused the request, for example `insufficient_quota`. */
  refusal: z.optional(z.string()),
  /** The numbers and names in the sentence of the refusal, for who tells it in another language; absent where the code and the entry say all. */
  refusal_values: z.optional(refusalValuesSchema),
  /** For how many refusals of its kind the entry stands; absent from entries of older versions. */
  refusal_count: z.optional(z.int()),
  /** What the channel's system prompt did: took the place of the leading system message, or went in front. */
  system_prompt: z.optional(z.enum(["replaced", "added"])),
  attempts: z.array(logAttemptSchema),
  /**
   * What `content` says besides the charge, where it is made of numbers: fields that the provider has no place for, what else an operator should
   * know, and in entries of older versions the same in English. Absent where `content` says something of its own.
   */
  told: z.optional(
    z.object({ dropped: z.array(z.string()), note: z.string(), notes: z.optional(z.array(usageNoteSchema)) }),
  ),
  /** Where the entry is of a batch: its lines with an answer and with an error, and what the price of each token was multiplied by. */
  batch: z.optional(z.object({ lines: z.int(), failed: z.int(), factor: z.number() })),
});

export type LogDetail = z.infer<typeof logDetailSchema>;
