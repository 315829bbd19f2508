import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { idParamsSchema, idSchema, pageSchema, pageSizeSchema, unixSecondsSchema } from "../fields.ts";
import {
  ALERT_KINDS,
  RECEIVER_KINDS,
  RECEIVER_LANGUAGES,
  RECEIVER_LIMITS,
  RECEIVER_SECRETS,
  USE_MARKS,
} from "./notification-constants.ts";
import { DELIVERY_STATES } from "./delivery-states.ts";
import { isReceiverAddress, isReceiverSecret } from "./receiver-target.ts";

const clockTimeSchema = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/));

/** In the time zone; from `start` until before `end`, also over midnight. */
const quietHoursSchema = z
  .object({
    start: clockTimeSchema,
    end: clockTimeSchema,
    /** IANA name, for example Europe/Berlin. */
    time_zone: z.string().check(z.maxLength(64), z.refine(isTimeZone, { params: { problem: "not-valid" } })),
  })
  .check(z.refine(({ start, end }) => start !== end, { path: ["end"], params: { problem: "not-valid" } }));

export type QuietHours = z.infer<typeof quietHoursSchema>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const deliverySchema = z.object({
  id: z.int(),
  receiver_id: z.int(),
  alerts: z.array(z.enum(ALERT_KINDS)),
  count: z.int(),
  status: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  created_at: unixSecondsSchema,
  next_at: unixSecondsSchema,
  delivered_at: unixSecondsSchema,
  /** Cause of the last failed attempt, without secrets; empty for none. In English, or quoted from the receiver. */
  error: z.string(),
});

export type Delivery = z.infer<typeof deliverySchema>;

const receiverSchema = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(RECEIVER_KINDS),
  /** Masked: of a web address only the host, because the rest is a secret. Empty where it cannot be decrypted. */
  address: z.string(),
  has_secret: z.boolean(),
  alerts: z.array(z.enum(ALERT_KINDS)),
  marks: z.array(z.literal(USE_MARKS)),
  language: z.enum(RECEIVER_LANGUAGES),
  quiet_hours: z.nullable(quietHoursSchema),
  enabled: z.boolean(),
  last_delivery: z.nullable(deliverySchema),
});

export type Receiver = z.infer<typeof receiverSchema>;

const fields = {
  name: z.string().check(z.trim(), z.minLength(1, "Fill in the name."), z.maxLength(RECEIVER_LIMITS.nameLength)),
  kind: z.enum(RECEIVER_KINDS),
  address: z.string().check(z.trim(), z.maxLength(RECEIVER_LIMITS.addressLength)),
  secret: z._default(z.string().check(z.trim(), z.maxLength(RECEIVER_LIMITS.secretLength)), ""),
  alerts: z.array(z.enum(ALERT_KINDS)).check(z.minLength(1), z.maxLength(ALERT_KINDS.length)),
  marks: z._default(z.array(z.literal(USE_MARKS)).check(z.minLength(1), z.maxLength(USE_MARKS.length)), [...USE_MARKS]),
  language: z._default(z.enum(RECEIVER_LANGUAGES), "en"),
  quiet_hours: z._default(z.nullable(quietHoursSchema), null),
  enabled: z._default(z.boolean(), true),
};

const addressRule = { path: ["address"], params: { problem: "not-valid" } };
const secretRule = { path: ["secret"], params: { problem: "not-valid" } };

export const createReceiverInputSchema = z.object(fields).check(
  z.refine(({ kind, address }) => isReceiverAddress(kind, address), addressRule),
  z.refine(
    ({ kind, secret }) => (secret === "" ? RECEIVER_SECRETS[kind] !== "required" : isReceiverSecret(kind, secret)),
    secretRule,
  ),
);

export type CreateReceiverInput = z.input<typeof createReceiverInputSchema>;

export const updateReceiverInputSchema = z
  .object({
    ...fields,
    id: idSchema,
    /** As stored: it cannot change. */
    kind: fields.kind,
    /** Empty leaves it as it is, as an empty `secret` does. */
    address: z._default(fields.address, ""),
  })
  .check(
    z.refine(({ kind, address }) => address === "" || isReceiverAddress(kind, address), addressRule),
    z.refine(({ kind, secret }) => secret === "" || isReceiverSecret(kind, secret), secretRule),
  );

export type UpdateReceiverInput = z.input<typeof updateReceiverInputSchema>;

export const listReceivers = defineCall({
  method: "GET",
  path: "/api/receiver/",
  access: "root",
  summary: "Lists one page of the receivers of alerts by name, with their newest delivery; addresses are masked",
  query: z.object({ p: pageSchema, size: pageSizeSchema }),
  data: z.array(receiverSchema),
});

export const getReceiver = defineCall({
  method: "GET",
  path: "/api/receiver/:id",
  access: "root",
  summary: "Returns a receiver of alerts",
  params: idParamsSchema,
  data: receiverSchema,
});

export const createReceiver = defineCall({
  method: "POST",
  path: "/api/receiver/",
  access: "root",
  takesIdempotencyKey: true,
  summary: "Adds a receiver of alerts and returns it",
  body: createReceiverInputSchema,
  data: receiverSchema,
});

export const updateReceiver = defineCall({
  method: "PUT",
  path: "/api/receiver/",
  access: "root",
  summary: "Changes a receiver; disabling it ends its waiting deliveries",
  body: updateReceiverInputSchema,
  data: receiverSchema,
});

export const deleteReceiver = defineCall({
  method: "DELETE",
  path: "/api/receiver/:id",
  access: "root",
  summary: "Deletes a receiver and its deliveries",
  params: idParamsSchema,
  data: z.null(),
});

export const testReceiver = defineCall({
  method: "POST",
  path: "/api/receiver/:id/test",
  access: "root",
  summary: "Sends a test message to a receiver at once",
  params: idParamsSchema,
  data: z.null(),
});

export const listDeliveries = defineCall({
  method: "GET",
  path: "/api/receiver/delivery",
  access: "root",
  summary: "Lists one page of deliveries of the last 30 days, newest first",
  query: z.object({
    p: pageSchema,
    size: pageSizeSchema,
    receiver: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
    status: z._default(z.enum(["", ...DELIVERY_STATES]), ""),
  }),
  data: z.array(deliverySchema),
});
