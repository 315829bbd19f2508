import type { Migration } from "./migration.ts";

/** The index by time, which every request paid for: times are found by the groups of the log. */
export const logTimes: Migration = {
  number: 46,
  name: "log-times",
  statements: ({ schema }) => [schema.dropIndex("logs_created_at_index").ifExists()],
};
