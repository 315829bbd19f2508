import * as z from "zod/mini";
import { INVITATION_LIMITS, INVITATION_DEFAULTS, INVITATION_STATES } from "./invitation-constants.ts";
import { defineCall } from "../call.ts";
import { idParamsSchema, listQuery, quotaSchema, unixSecondsSchema } from "../fields.ts";

const invitationSchema = z.object({
  id: z.int(),
  /** Whom it is for, as the administrator calls them; the invited do not see it. */
  name: z.string(),
  code: z.string(),
  /** Of the new account; comma-separated, empty means default. */
  group: z.string(),
  /** What the new account gets beside the quota of new users. */
  quota: quotaSchema,
  created_at: unixSecondsSchema,
  /** Username of who made it; empty when the account is gone. */
  created_by: z.string(),
  expires_at: unixSecondsSchema,
  /** 0 while it is unused. */
  used_at: unixSecondsSchema,
  /** Username of who signed up with it; empty while it is unused, and when the account is gone. */
  used_by: z.string(),
});

export type Invitation = z.infer<typeof invitationSchema>;

export const listInvitations = defineCall({
  method: "GET",
  path: "/api/invitation/",
  access: "admin",
  summary: "One page of the invitations, the newest first",
  query: listQuery([], {
    keyword: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
    state: z._default(z.enum(INVITATION_STATES), "all"),
  }),
  data: z.array(invitationSchema),
});

export const createInvitationsInputSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Fill in the name."), z.maxLength(INVITATION_LIMITS.nameLength)),
  /** Comma-separated names of groups; empty means default. */
  group: z._default(z.string().check(z.trim(), z.maxLength(INVITATION_LIMITS.groupLength)), ""),
  quota: z._default(quotaSchema, INVITATION_DEFAULTS.quota),
  /** After how many days it expires. */
  days: z._default(
    z.int().check(z.minimum(INVITATION_LIMITS.leastDays), z.maximum(INVITATION_LIMITS.days)),
    INVITATION_DEFAULTS.days,
  ),
  /** How many to make, all of them with that name. */
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
  summary: "Makes invitations, each of which lets one person make an account, and answers their codes",
  body: createInvitationsInputSchema,
  data: z.array(z.string()),
});

export const deleteInvitation = defineCall({
  method: "DELETE",
  path: "/api/invitation/:id",
  access: "admin",
  summary: "Withdraws an invitation that nobody has used",
  params: idParamsSchema,
  data: z.null(),
});
