import { type Column, flag, integer, text, withDefault } from "./column.ts";
import type { MigrationStep } from "./migration.ts";

const COLUMNS: readonly (readonly [name: string, column: Column])[] = [
  ["test_model", withDefault(text, "")],
  ["scheduled_checks", withDefault(flag, 1)],
  ["failed_probes", withDefault(integer, 0)],
];
const TIMES = ["probe_time", "test_check_time", "balance_check_time", "models_check_time", "check_time"];

export const channelChecks: MigrationStep = {
  name: "channel-checks",
  statements: ({ kind, schema }) => {
    const channels = schema.alterTable("channels");
    const unixSeconds = kind === "sqlite" ? "integer" : "bigint";
    return [
      ...COLUMNS.map(([name, { type, build }]) =>
        channels.addColumn(name, type, (definition) => build(definition, name, kind)),
      ),
      ...TIMES.map((name) => channels.addColumn(name, unixSeconds, (definition) => definition.notNull().defaultTo(0))),
    ];
  },
};
