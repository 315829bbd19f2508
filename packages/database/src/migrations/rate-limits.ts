import { amount, withDefault } from "./column.ts";
import type { MigrationStep, MigrationBuilder, Statement } from "./migration.ts";

const FURTHER_LIMITS = [
  "concurrent_limit",
  "requests_5h_limit",
  "tokens_5h_limit",
  "requests_day_limit",
  "tokens_day_limit",
];
const LIMITS_PER_MINUTE = ["rpm_limit", "dpm_limit", "tpm_limit"];

export const rateLimits: MigrationStep = {
  name: "rate-limits",
  statements: (builder) => [
    ...FURTHER_LIMITS.map((column) => addLimit(builder, "tokens", column)),
    ...[...LIMITS_PER_MINUTE, ...FURTHER_LIMITS].map((column) => addLimit(builder, "users", column)),
  ],
};

function addLimit({ kind, schema }: MigrationBuilder, table: string, name: string): Statement {
  const type = kind === "sqlite" ? "integer" : "bigint";
  const { build } = withDefault(amount, 0);
  return schema.alterTable(table).addColumn(name, type, (definition) => build(definition, name, kind));
}
