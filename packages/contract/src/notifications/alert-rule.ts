import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { FILTER_LIMITS } from "../constants.ts";
import { idParamsSchema, idSchema, unixSecondsSchema } from "../fields.ts";
import { canCross, RULE_DIRECTIONS, RULE_METRICS, RULE_WINDOWS } from "./alert-rule-constants.ts";
import { RECEIVER_KINDS } from "./notification-constants.ts";

const filterIdSchema = z._default(z.int().check(z.minimum(0)), 0);

const nameSchema = (length: number) => z._default(z.string().check(z.trim(), z.maxLength(length)), "");

const fields = {
  metric: z.enum(RULE_METRICS),
  direction: z.enum(RULE_DIRECTIONS),
  /** Quota for spend and margin, 0 to 1 for shares, ms for times, else a count. */
  threshold: z.number().check(z.minimum(-Number.MAX_SAFE_INTEGER), z.maximum(Number.MAX_SAFE_INTEGER)),
  window_minutes: z.literal(RULE_WINDOWS),
  /** Id of the receiver; 0 mails to the owner of the rule. */
  receiver: filterIdSchema,
  /** The watched requests: of this user, channel, model, token and alias. 0 or empty for all. */
  user: filterIdSchema,
  channel: filterIdSchema,
  model_name: nameSchema(FILTER_LIMITS.nameLength),
  token_name: nameSchema(64),
  alias: nameSchema(FILTER_LIMITS.aliasLength),
};

const thresholdRule = z.refine<{
  metric: (typeof RULE_METRICS)[number];
  direction: (typeof RULE_DIRECTIONS)[number];
  threshold: number;
}>(({ metric, direction, threshold }) => canCross(metric, direction, threshold), {
  path: ["threshold"],
  params: { problem: "not-valid" },
});

export const createAlertRuleInputSchema = z.object(fields).check(thresholdRule);

export type CreateAlertRuleInput = z.input<typeof createAlertRuleInputSchema>;

const alertRuleSchema = z.object({
  ...fields,
  id: z.int(),
  /** Names of the watched user and channel; empty for all, and for deleted ones. */
  username: z.string(),
  channel_name: z.string(),
  /** Name of the receiver; empty for the owner's mail. */
  receiver_name: z.string(),
  /** Username of the rule's owner. */
  owner: z.string(),
  is_own: z.boolean(),
  /** Time at which the threshold was crossed; 0 while it is not. */
  crossed_at: unixSecondsSchema,
});

export type AlertRule = z.infer<typeof alertRuleSchema>;

export const listAlertRules = defineCall({
  method: "GET",
  path: "/api/alert-rule/",
  access: "user",
  summary: "Lists the caller's alert rules, for administrators also those of others that use a receiver",
  data: z.array(alertRuleSchema),
});

export const listAlertTargets = defineCall({
  method: "GET",
  path: "/api/alert-rule/target",
  access: "user",
  summary: "Lists where the caller's alert rules can send alerts; receivers are for administrators",
  data: z.object({
    /** Address of the caller's mails; empty for none. */
    email: z.string(),
    /** False while no mail server is set up. */
    can_mail: z.boolean(),
    receivers: z.array(z.object({ id: z.int(), name: z.string(), kind: z.enum(RECEIVER_KINDS) })),
  }),
});

export const createAlertRule = defineCall({
  method: "POST",
  path: "/api/alert-rule/",
  access: "user",
  takesIdempotencyKey: true,
  summary: "Adds a rule that alerts when a metric crosses a threshold, and returns it",
  body: createAlertRuleInputSchema,
  data: alertRuleSchema,
});

export const updateAlertRule = defineCall({
  method: "PUT",
  path: "/api/alert-rule/",
  access: "user",
  summary: "Changes an alert rule; a crossing is reported again",
  body: z.object({ ...fields, id: idSchema }).check(thresholdRule),
  data: alertRuleSchema,
});

export const deleteAlertRule = defineCall({
  method: "DELETE",
  path: "/api/alert-rule/:id",
  access: "user",
  summary: "Deletes an alert rule",
  params: idParamsSchema,
  data: z.null(),
});
