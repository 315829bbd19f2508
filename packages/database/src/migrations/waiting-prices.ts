import { text, withDefault } from "./column.ts";
import type { MigrationStep } from "./migration.ts";

/** Changes of a fetched price list that wait. Servers of the release before neither read nor write this column. */
export const waitingPrices: MigrationStep = {
  name: "waiting-prices",
  statements: ({ kind, schema }) => {
    const { type, build } = withDefault(text, "{}");
    return [schema.alterTable("price_lists").addColumn("waiting", type, (column) => build(column, "waiting", kind))];
  },
};
