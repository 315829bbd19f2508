import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { unixSecondsSchema } from "../fields.ts";

const sessionSchema = z.object({
  /** Names the session in `endSession`; it is of no use to log in with. */
  id: z.string(),
  created_at: unixSecondsSchema,
  /** To the minute. */
  last_seen_at: unixSecondsSchema,
  expires_at: unixSecondsSchema,
  address: z.string(),
  user_agent: z.string(),
  /** The session that asks. */
  is_current: z.boolean(),
});

export type Session = z.infer<typeof sessionSchema>;

export const listSessions = defineCall({
  method: "GET",
  path: "/api/user/sessions",
  access: "user",
  summary: "The own sessions, the last used first",
  data: z.array(sessionSchema),
});

export const endSession = defineCall({
  method: "DELETE",
  path: "/api/user/sessions/:id",
  access: "user",
  summary: "Ends one of the own sessions at once, on every server",
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  data: z.null(),
});

export const endAllSessions = defineCall({
  method: "DELETE",
  path: "/api/user/sessions",
  access: "user",
  summary: "Ends all of the own sessions, the one that asks too",
  data: z.null(),
});
