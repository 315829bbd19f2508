import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

/** The alias of a request, and the model that it was sent to first. Servers of the release before leave both empty. */
export const logAliases: MigrationStep = {
  name: "log-aliases",
  statements: () =>
    ["alias", "first_model"].map((name) => sql.raw(`alter table logs add column ${name} text not null default ''`)),
};
