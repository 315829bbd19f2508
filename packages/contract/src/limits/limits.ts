import * as z from "zod/mini";
import { MAX_LIMIT } from "./limit-constants.ts";

const limitSchema = z.int().check(z.minimum(0), z.maximum(MAX_LIMIT));

/** Limits of a minute: requests, image requests, thousands of model tokens. 0 is no limit. */
export const minuteLimitFields = { rpm_limit: limitSchema, dpm_limit: limitSchema, tpm_limit: limitSchema };

/** Requests that run at the same time, and requests and thousands of model tokens in five hours and in a day. 0 is no limit. */
export const furtherLimitFields = {
  concurrent_limit: limitSchema,
  requests_5h_limit: limitSchema,
  tokens_5h_limit: limitSchema,
  requests_day_limit: limitSchema,
  tokens_day_limit: limitSchema,
};

const optionalLimits = {
  rpm_limit: z.optional(limitSchema),
  dpm_limit: z.optional(limitSchema),
  tpm_limit: z.optional(limitSchema),
  concurrent_limit: z.optional(limitSchema),
  requests_5h_limit: z.optional(limitSchema),
  tokens_5h_limit: z.optional(limitSchema),
  requests_day_limit: z.optional(limitSchema),
  tokens_day_limit: z.optional(limitSchema),
};

const limitsOfGroupSchema = z.strictObject({
  ...optionalLimits,
  /** Limits of the requests to one model, by its name as callers send it. */
  models: z.optional(z.record(z.string(), z.strictObject(optionalLimits))),
});

export const groupLimitsSchema = z.record(z.string(), limitsOfGroupSchema);

export type LimitsOfGroup = z.infer<typeof limitsOfGroupSchema>;
