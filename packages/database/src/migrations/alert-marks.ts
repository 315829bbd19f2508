import { sql } from "kysely";
import { withDefault, text, amount } from "./column.ts";
import type { MigrationStep } from "./migration.ts";

/** The previous release writes grants without a balance. */
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
