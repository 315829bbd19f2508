import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

/** The previous release leaves -1, as for unknown facts. */
export const aliasFacts: MigrationStep = {
  name: "alias-facts",
  statements: () => [sql.raw("alter table logs add column alias_facts integer not null default -1")],
};
