import { text, withDefault } from "./column.ts";
import { addColumn } from "./create-table.ts";
import type { Migration } from "./migration.ts";

/** What the reason of a decision is made of, so that it can be told in any language. */
export const decisionParts: Migration = {
  number: 38,
  name: "decision-parts",
  statements: (builder) => [addColumn(builder, "channel_decisions", "parts", withDefault(text, ""))],
};
