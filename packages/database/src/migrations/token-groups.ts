import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

/** The previous release uses all groups of the owner. */
export const tokenGroups: MigrationStep = {
  name: "token-groups",
  statements: () => [sql.raw(`alter table tokens add column "group" text not null default ''`)],
};
