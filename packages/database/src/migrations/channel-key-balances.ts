import { integer, real, text, withDefault } from "./column.ts";
import { addColumns } from "./create-table.ts";
import type { MigrationStep } from "./migration.ts";

/** The previous release requests the balance of the first key alone, for the channel. */
export const channelKeyBalances: MigrationStep = {
  name: "channel-key-balances",
  statements: (builder) =>
    addColumns(builder, "channel_keys", {
      balance: withDefault(real, 0),
      balance_updated_time: withDefault(integer, 0),
      balance_error: withDefault(text, ""),
      balance_error_time: withDefault(integer, 0),
    }),
};
