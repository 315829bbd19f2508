import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { LIMIT_FIELDS } from "./limit-constants.ts";

const MOST_TOKENS = 100;

const limitUseSchema = z.object({
  field: z.enum(LIMIT_FIELDS),
  model: z.string(),
  /** Requests or model tokens. */
  limit: z.int(),
  /** With model tokens that running requests have reserved. */
  used: z.int(),
  /** Seconds until one more fits; 0: now, or once a running request ends. */
  resets_in: z.int(),
});

export type LimitUse = z.infer<typeof limitUseSchema>;

const idsSchema = z._default(
  z
    .string()
    .check(z.regex(/^(?:\d{1,15}(?:,\d{1,15}){0,99})?$/, `Name up to ${MOST_TOKENS} ids, with commas between.`)),
  "",
);

export const readLimitUse = defineCall({
  method: "GET",
  path: "/api/limit/",
  access: "user",
  summary: "Limits in force and their use now: those of the own account, and of own tokens that are named",
  query: z.object({
    tokens: idsSchema,
  }),
  data: z.object({
    /** Servers whose requests are counted; the one that answers alone if Redis does not count for all. */
    counts_all_servers: z.boolean(),
    servers: z.int(),
    account: z.array(limitUseSchema),
    tokens: z.array(z.object({ id: z.int(), limits: z.array(limitUseSchema) })),
  }),
});
