import { amount, integer, integerKey, text, withDefault } from "./column.ts";
import { createTable } from "./create-table.ts";
import type { MigrationStep } from "./migration.ts";

const servers = {
  id: integerKey,
  name: text,
  version: text,
  started_at: integer,
  reported_at: integer,
  stopped_at: withDefault(integer, 0),
  in_flight: amount,
  balances_checked_at: withDefault(integer, 0),
  balance_differences: withDefault(amount, 0),
};

export const serverReports: MigrationStep = {
  name: "server-reports",
  statements: (builder) => [createTable(builder, "servers", servers)],
};
