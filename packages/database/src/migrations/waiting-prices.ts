import { text, withDefault } from "./column.ts";
import type { MigrationStep } from "./migration.ts";

export const waitingPrices: MigrationStep = {
  name: "waiting-prices",
  statements: ({ kind, schema }) => {
    const { type, build } = withDefault(text, "{}");
    return [schema.alterTable("price_lists").addColumn("waiting", type, (column) => build(column, "waiting", kind))];
  },
};
