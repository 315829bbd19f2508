import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { firstByteFields } from "./first-byte.ts";

/** `few`: some requests failed, too few to tell a failure rate. */
const stateSchema = z.enum(["works", "troubled", "fails", "few", "unused"]);

export type AvailabilityState = z.infer<typeof stateSchema>;

/** How a model answered in a time, from real traffic. */
const spanSchema = z.object({
  /** Part of the requests that did not fail by a provider or on the way to it, 0 to 1; null without requests. */
  availability: z.nullable(z.number()),
  state: stateSchema,
  ...firstByteFields,
});

export const modelAvailabilitySchema = z.object({
  model: z.string(),
  day: spanSchema,
  week: spanSchema,
  month: spanSchema,
  /** Of each of the last 30 days, the oldest first; days begin at midnight UTC. */
  days: z.array(z.nullable(z.number())),
  /** The states of these days. */
  day_states: z.array(stateSchema),
});

export type ModelAvailability = z.infer<typeof modelAvailabilitySchema>;

export const getAvailability = defineCall({
  method: "GET",
  path: "/api/availability",
  access: "anyone",
  summary: "How the models that visitors may see have answered of late; refused while the status page is switched off",
  data: z.object({
    /** When it was added up, in Unix seconds. */
    at: z.int(),
    models: z.array(modelAvailabilitySchema),
  }),
});
