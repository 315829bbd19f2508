import { amount, text, withDefault } from "./column.ts";
import { addColumn } from "./create-table.ts";
import type { Migration } from "./migration.ts";

/** A stream whose server was killed has its model and its tokens in the log, as of its last checkpoint. */
export const deliveredTokens: Migration = {
  number: 52,
  name: "delivered-tokens",
  statements: (builder) => [
    addColumn(builder, "relay_holds", "model_name", withDefault(text, "")),
    addColumn(builder, "relay_holds", "prompt_tokens", withDefault(amount, 0)),
    addColumn(builder, "relay_holds", "completion_tokens", withDefault(amount, 0)),
  ],
};
