import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

export const channelOverrides: MigrationStep = {
  name: "channel-overrides",
  statements: () => [sql.raw("alter table channels add column overrides text not null default ''")],
};
