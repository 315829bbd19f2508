import { autoId, deletedWith, integer, text, withDefault } from "./column.ts";
import { createIndex, createTable } from "./create-table.ts";
import type { MigrationStep } from "./migration.ts";

const keys = {
  id: autoId,
  channel_id: deletedWith(integer, "channels"),
  key_cipher: text,
  key_end: text,
  status: integer,
  weight: integer,
  status_reason: withDefault(text, ""),
  disabled_at: withDefault(integer, 0),
  probe_time: withDefault(integer, 0),
  failed_probes: withDefault(integer, 0),
};

/** The previous release uses the channel's own key, the first. */
export const channelKeys: MigrationStep = {
  name: "channel-keys",
  statements: (builder) => [
    createTable(builder, "channel_keys", keys),
    createIndex(builder, "channel_keys", ["channel_id"]),
  ],
};
