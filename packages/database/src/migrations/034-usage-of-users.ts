import { sql } from "kysely";
import { amount, integer, signedAmount, text } from "./column.ts";
import { createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const KEYS = ["user_id", "slot", "token_name", "model_name"] as const;

const usageOfUsers = {
  user_id: integer,
  slot: integer,
  token_name: text,
  model_name: text,
  requests: amount,
  refused: amount,
  errors: amount,
  quota: signedAmount,
  cost: amount,
  unknown_requests: amount,
  unknown_quota: signedAmount,
  prompt_tokens: amount,
  completion_tokens: amount,
  timed: amount,
  first_log: amount,
};

/** SQLite keeps each user's sums together, in the order of their key: a month of a heavy user is read in a third of the time, and written once. */
export const usageOfUsersTogether: Migration = {
  number: 34,
  name: "usage-of-users",
  statements: (builder: MigrationBuilder) => {
    if (builder.kind !== "sqlite") return [];
    const columns = sql.join(Object.keys(usageOfUsers).map((name) => sql.ref(name)));
    return [
      createTable(builder, "usage_of_users_together", usageOfUsers)
        .addPrimaryKeyConstraint("usage_of_users_primary_key", [...KEYS])
        .modifyEnd(sql`, without rowid`),
      sql`insert into usage_of_users_together (${columns}) select ${columns} from usage_of_users order by ${sql.join(KEYS.map((name) => sql.ref(name)))}`,
      builder.schema.dropTable("usage_of_users"),
      builder.schema.alterTable("usage_of_users_together").renameTo("usage_of_users"),
    ];
  },
};
