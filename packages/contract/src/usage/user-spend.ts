import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { idsTextSchema } from "../fields.ts";
import { edgesTextSchema } from "./dashboard.ts";

/** At least as many as a page of the list of users. */
const MOST_USERS = 100;

const userSpendSchema = z.object({
  id: z.int(),
  quota: z.int(),
  /** Quota in each interval. */
  parts: z.array(z.int()),
});

export type UserSpend = z.infer<typeof userSpendSchema>;

export const listUserSpend = defineCall({
  method: "GET",
  path: "/api/user/spend",
  access: "admin",
  summary: "Returns what some users spent in each interval; users without requests are left out",
  query: z.object({ ids: idsTextSchema(MOST_USERS, "users"), edges: edgesTextSchema }),
  data: z.array(userSpendSchema),
});
