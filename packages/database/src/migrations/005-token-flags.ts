import { amount, withDefault } from "./column.ts";
import { addColumn } from "./create-table.ts";
import type { Migration } from "./migration.ts";

/** How many prompts of a token moderation has flagged. */
export const tokenFlags: Migration = {
  number: 5,
  name: "token-flags",
  statements: (builder) => [addColumn(builder, "tokens", "flagged_count", withDefault(amount, 0))],
};
