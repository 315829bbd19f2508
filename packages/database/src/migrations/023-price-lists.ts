import { flag, integer, text, textKey } from "./column.ts";
import { createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const priceLists = {
  version: textKey,
  in_use: flag,
  fetched_at: integer,
  program: text,
  data: text,
};

/** Price lists that were read after the program was made: the one in use, and the one that was read last. */
export const priceListTables: Migration = {
  number: 23,
  name: "price-lists",
  statements: (builder: MigrationBuilder) => [createTable(builder, "price_lists", priceLists)],
};
