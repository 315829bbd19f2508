import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { idsTextSchema } from "../fields.ts";

export const SPEND_DAYS = 30;

/** At least as many as a page of the list of users. */
const MOST_USERS = 100;

const userSpendSchema = z.object({
  id: z.int(),
  quota: z.int(),
  /** Quota by 24 hours, the newest last. */
  days: z.array(z.int()),
});

export type UserSpend = z.infer<typeof userSpendSchema>;

export const listUserSpend = defineCall({
  method: "GET",
  path: "/api/user/spend",
  access: "admin",
  summary: "Returns what some users spent in the last 30 days, by day; users without requests are left out",
  query: z.object({ ids: idsTextSchema(MOST_USERS, "users") }),
  data: z.array(userSpendSchema),
});
