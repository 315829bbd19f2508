import { sql } from "kysely";
import { withDefault, text, amount } from "./column.ts";
import type { MigrationStep } from "./migration.ts";

/**
 * Marks of a receiver, and the balance after each grant. Servers of the release before neither read nor write these
 * columns: a grant of theirs has no balance.
 */
export const alertMarks: MigrationStep = {
  name: "alert-marks",
  statements: (builder) => {
    const { kind, schema } = builder;
    const marks = withDefault(text, "50,80,100");
    const after = withDefault(amount, 0);
    return [
      schema
        .alterTable("alert_receivers")
        .addColumn("marks", marks.type, (column) => marks.build(column, "marks", kind)),
      schema
        .alterTable("ledger_entries")
        .addColumn("user_remaining", kind === "sqlite" ? "integer" : "bigint", (column) =>
          after.build(column, "user_remaining", kind),
        ),
      schema
        .createIndex("ledger_entries_grants_index")
        .on("ledger_entries")
        .columns(["user_id", "id"])
        .where(sql.ref("user_amount"), "<>", sql.lit(0))
        .where(sql.ref("kind"), "in", [sql.lit("grant"), sql.lit("redeem")]),
    ];
  },
};
