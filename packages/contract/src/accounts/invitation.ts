import * as z from "zod/mini";
import { INVITATION_LIMITS, INVITATION_DEFAULTS, INVITATION_STATES } from "./invitation-constants.ts";
import { defineCall } from "../call.ts";
import { idParamsSchema, listQuery, quotaSchema, unixSecondsSchema } from "../fields.ts";

const invitationSchema = z.object({
  id: z.int(),
  /** The administrator's name for the invited person, who does not see it. */
  name: z.string(),
  code: z.string(),
  group: z.string(),
  /** Added to the quota of new users. */
  quota: quotaSchema,
  created_at: unixSecondsSchema,
  created_by: z.string(),
  expires_at: unixSecondsSchema,
  used_at: unixSecondsSchema,
  /** Username; empty while unused, or if the account is deleted. */
  used_by: z.string(),
});

export type Invitation = z.infer<typeof invitationSchema>;

export const listInvitations = defineCall({
  method: "GET",
  path: "/api/invitation/",
  access: "admin",
  summary: "Lists one page of invitations, newest first",
  query: listQuery([], {
    keyword: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
    state: z._default(z.enum(INVITATION_STATES), "all"),
  }),
  data: z.array(invitationSchema),
});

export const createInvitationsInputSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Fill in the name."), z.maxLength(INVITATION_LIMITS.nameLength)),
  group: z._default(z.string().check(z.trim(), z.maxLength(INVITATION_LIMITS.groupLength)), ""),
  quota: z._default(quotaSchema, INVITATION_DEFAULTS.quota),
  days: z._default(
    z.int().check(z.minimum(INVITATION_LIMITS.leastDays), z.maximum(INVITATION_LIMITS.days)),
    INVITATION_DEFAULTS.days,
  ),
  count: z._default(
    z.int().check(z.minimum(INVITATION_LIMITS.leastCount), z.maximum(INVITATION_LIMITS.count)),
    INVITATION_DEFAULTS.count,
  ),
});

export type CreateInvitationsInput = z.input<typeof createInvitationsInputSchema>;

export const createInvitations = defineCall({
  method: "POST",
  path: "/api/invitation/",
  access: "admin",
  takesIdempotencyKey: true,
  summary: "Creates invitations and returns their codes; each lets one person create an account",
  body: createInvitationsInputSchema,
  data: z.array(z.string()),
});

export const deleteInvitation = defineCall({
  method: "DELETE",
  path: "/api/invitation/:id",
  access: "admin",
  summary: "Withdraws an unused invitation",
  params: idParamsSchema,
  data: z.null(),
});
