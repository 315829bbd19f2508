import { amount, text, withDefault } from "./column.ts";
import { addColumn } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

/** How a channel's last test went, what stands against it, from where its spending counts, and what its provider serves. */
export const channelTests: Migration = {
  number: 7,
  name: "channel-tests",
  statements: (builder: MigrationBuilder) => [
    addColumn(builder, "channels", "soft_limit_base_quota", withDefault(amount, 0)),
    addColumn(builder, "channels", "last_test", withDefault(text, "")),
    addColumn(builder, "channels", "status_hint", withDefault(text, "")),
    addColumn(builder, "channels", "provider_models", withDefault(text, "")),
  ],
};
