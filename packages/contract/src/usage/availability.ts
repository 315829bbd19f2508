import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { firstByteFields } from "./first-byte.ts";

/** `few`: some requests failed, too few for a failure rate. */
const stateSchema = z.enum(["works", "troubled", "fails", "few", "unused"]);

export type AvailabilityState = z.infer<typeof stateSchema>;

const spanSchema = z.object({
  /** Share of requests without a failure of the provider or on the way to it, 0 to 1; null without requests. */
  availability: z.nullable(z.number()),
  state: stateSchema,
  ...firstByteFields,
});

export const modelAvailabilitySchema = z.object({
  model: z.string(),
  day: spanSchema,
  week: spanSchema,
  month: spanSchema,
  /** Each of the last 30 days in UTC, oldest first. */
  days: z.array(z.nullable(z.number())),
  day_states: z.array(stateSchema),
});

export type ModelAvailability = z.infer<typeof modelAvailabilitySchema>;

export const getAvailability = defineCall({
  method: "GET",
  path: "/api/availability",
  access: "anyone",
  summary: "Returns the recent availability of the models that visitors may see; refused while the status page is off",
  data: z.object({
    /** Time of the calculation, in Unix seconds. */
    at: z.int(),
    models: z.array(modelAvailabilitySchema),
  }),
});
