import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { modelAliasesSchema } from "../channels/model-aliases.ts";
import { idSchema, quotaSchema } from "../fields.ts";
import { priceTableSchema } from "../prices/model-prices.ts";
import { OPTION_RATIOS } from "../prices/ratios.ts";
import { WHAT_IF_DAYS, WHAT_IF_LIMITS } from "./what-if-constants.ts";

const channelChangeSchema = z.object({
  id: idSchema,
  enabled: z.optional(z.boolean()),
  priority: z.optional(z.int()),
  weight: z.optional(z.int().check(z.minimum(0))),
});

/** A change that is not made. Absent parts stay as they are. */
export const whatIfInputSchema = z.object({
  days: z._default(z.literal([...WHAT_IF_DAYS], { error: "days must be 7 or 30." }), WHAT_IF_DAYS[0]),
  group_ratios: z._default(
    z.record(
      z.string().check(z.minLength(1), z.maxLength(64)),
      z.number().check(z.minimum(OPTION_RATIOS.min), z.maximum(OPTION_RATIOS.max)),
    ),
    {},
  ),
  model_prices: z._default(priceTableSchema, {}),
  channels: z._default(z.array(channelChangeSchema).check(z.maxLength(WHAT_IF_LIMITS.channels)), []),
  /** Other models, weights, order, conditions or deadlines of aliases, as in the option ModelAliases. */
  aliases: z._default(modelAliasesSchema, {}),
  pool_mode: z.optional(z.enum(["random", "polling", "cheapest"])),
});

export type WhatIfInput = z.input<typeof whatIfInputSchema>;

const trafficSchema = z.object({
  requests: z.number(),
  /** Requests that fail by no fault of the caller, or have no channel. */
  errors: z.number(),
  /** Charges, in quota. */
  spend: quotaSchema,
  /** Known cost to the operator, in quota. */
  cost: quotaSchema,
  unknown: z.number(),
  /** Mean of the channels' median times to the first byte of a stream, in ms; null without streams. */
  first_byte_ms: z.nullable(z.int()),
});

export type WhatIfTraffic = z.infer<typeof trafficSchema>;

const bothFields = { before: trafficSchema, after: trafficSchema };

export const foreseeChange = defineCall({
  method: "POST",
  path: "/api/what-if",
  access: "admin",
  changesState: false,
  summary:
    "Estimates the last 7 or 30 days of requests with other prices, group factors, channels, aliases or pool mode: spend, cost, errors and time to the first byte; changes nothing",
  body: whatIfInputSchema,
  data: z.object({
    ...bothFields,
    /** Requests for aliases of which the log does not have what the change depends on. They are estimated as they were. */
    unjudged: z._default(z.number(), 0),
    /** Users with requests that the change affects. */
    users: z.int(),
    models: z.array(
      z.object({
        model: z.string(),
        ...bothFields,
        /** Groups in which no channel would be left. */
        lost_in: z.array(z.string()),
      }),
    ),
    affected: z.int(),
    channels: z.array(z.object({ id: z.int(), name: z.string(), before: z.number(), after: z.number() })),
  }),
});

export type ForeseenChange = z.infer<(typeof foreseeChange)["data"]>;
