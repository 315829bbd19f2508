import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { unixSecondsSchema } from "../fields.ts";

const sessionSchema = z.object({
  /** For `endSession`. It cannot be used to log in. */
  id: z.string(),
  created_at: unixSecondsSchema,
  last_seen_at: unixSecondsSchema,
  expires_at: unixSecondsSchema,
  address: z.string(),
  user_agent: z.string(),
  is_current: z.boolean(),
});

export type Session = z.infer<typeof sessionSchema>;

export const listSessions = defineCall({
  method: "GET",
  path: "/api/user/sessions",
  access: "user",
  summary: "Lists the caller's sessions, last used first",
  data: z.array(sessionSchema),
});

export const endSession = defineCall({
  method: "DELETE",
  path: "/api/user/sessions/:id",
  access: "user",
  summary: "Ends one of the caller's sessions at once, on every server",
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  data: z.null(),
});

export const endAllSessions = defineCall({
  method: "DELETE",
  path: "/api/user/sessions",
  access: "user",
  summary: "Ends all of the caller's sessions, including the current one",
  data: z.null(),
});
