import { text, withDefault } from "./column.ts";
import { addColumns } from "./create-table.ts";
import type { MigrationStep } from "./migration.ts";

/** The previous release writes the reason alone, in English. */
export const channelKeyHints: MigrationStep = {
  name: "channel-key-hints",
  statements: (builder) => addColumns(builder, "channel_keys", { status_hint: withDefault(text, "") }),
};
