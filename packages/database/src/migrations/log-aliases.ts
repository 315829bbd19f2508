import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

/** The previous release leaves both empty. */
export const logAliases: MigrationStep = {
  name: "log-aliases",
  statements: () =>
    ["alias", "first_model"].map((name) => sql.raw(`alter table logs add column ${name} text not null default ''`)),
};
