import { sql } from "kysely";
import { createIndex } from "./create-table.ts";
import type { MigrationStep } from "./migration.ts";

/** Indexes of the audit trail's search. */
export const auditSearch: MigrationStep = {
  name: "audit-search",
  statements: (builder) => [
    createIndex(builder, "audit", ["address", "id"]),
    sql.raw("create index audit_lower_actor_name_id_index on audit (lower(actor_name), id)"),
  ],
};
