import {
  CHARGED_KINDS,
  logAttemptSchema,
  logChoiceSchema,
  logDetailSchema,
  usageNoteSchema,
} from "@one-api/contract/log-detail";
import { z } from "zod";

export type UsageTermKind = (typeof CHARGED_KINDS)[number];

/** The numbers of a charge: enough to say later how it came about, and nothing that is made of them. */
const usageChargeSchema = z.object({
  /** `usage`: as the provider reported; `estimated`: counted here; `partial`: the answer was cut, what was delivered counts. */
  rule: z.enum(["usage", "estimated", "partial"]),
  /** Where the model ratio comes from: an option, the maintained price list, or neither. */
  source: z.enum(["option", "list", "fallback"]),
  model_ratio: z.number(),
  group_ratio: z.number(),
  completion_ratio: z.number(),
  /** The prompt had more tokens than this, which made every token of the request cost these ratios. */
  long_above: z.int().optional(),
  /** Kind, tokens and ratio to a token of plain input, of each kind that has tokens. */
  terms: z.array(z.tuple([z.enum(CHARGED_KINDS), z.int(), z.number()])),
});

export type UsageCharge = z.infer<typeof usageChargeSchema>;

/** The contract's choice in few bytes, as every request has one: what is 0 or empty is left out. */
const usageChoiceSchema = z.object({
  by: logChoiceSchema.shape.by,
  share: z.int().optional(),
  /** Channel, the reason's place in the contract's list, and its amount. */
  passed: z.array(z.union([z.tuple([z.int(), z.int()]), z.tuple([z.int(), z.int(), z.int()])])).optional(),
  more: z.int().optional(),
});

export type UsageChoice = z.infer<typeof usageChoiceSchema>;

/**
 * What the column `detail` of a relayed request holds, as JSON: numbers and names only. The texts that the contract's log entry has are
 * made of it when somebody reads the entry.
 */
export const usageDetailSchema = logDetailSchema
  .pick({
    end: true,
    upstream_model: true,
    group: true,
    key_hint: true,
    system_prompt: true,
    batch: true,
    input_only: true,
  })
  .extend(logDetailSchema.pick({ refusal: true, refusal_values: true, refusal_count: true }).shape)
  .extend({
    /** Only in entries of older versions: it has a column of its own. */
    first_byte_ms: z.int().optional(),
    attempts: z.array(logAttemptSchema.extend({ choice: usageChoiceSchema.optional() })),
    /** Fields of the request that the provider's format has no place for. */
    dropped: z.array(z.string()).optional(),
    /** Only in entries of older versions: what is a note now, in a sentence. */
    note: z.string().optional(),
    /** What else an operator should know. */
    notes: z.array(usageNoteSchema).optional(),
    /** Without, nothing was charged. */
    charge: usageChargeSchema.optional(),
  });

export type UsageDetail = z.infer<typeof usageDetailSchema>;
