import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

/** Groups of a token, in order. Servers of the release before use all groups of its owner. */
export const tokenGroups: MigrationStep = {
  name: "token-groups",
  statements: () => [sql.raw(`alter table tokens add column "group" text not null default ''`)],
};
