import * as z from "zod/mini";
import { defineCall } from "../call.ts";

const targetSchema = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(99_999_999_999));

export const clearLogs = defineCall({
  method: "DELETE",
  path: "/api/log/",
  access: "admin",
  summary: "Deletes the log entries from before a time and returns their number; balances do not change",
  query: z.object({ target_timestamp: targetSchema }),
  data: z.int(),
});

export const startLogClearing = defineCall({
  method: "POST",
  path: "/api/log/clearing",
  access: "admin",
  summary: "Starts to delete the log entries from before a time in the background, and returns their number",
  body: z.object({ target_timestamp: targetSchema }),
  data: z.object({ entries: z.int() }),
});

export const getLogClearing = defineCall({
  method: "GET",
  path: "/api/log/clearing",
  access: "admin",
  summary: "Counts the log entries from before a time, and reports the progress of this server's deletion",
  query: z.object({ target_timestamp: targetSchema }),
  data: z.object({
    entries: z.int(),
    /** Entries deleted so far by the running deletion; null if none runs. */
    cleared: z.nullable(z.int()),
  }),
});
