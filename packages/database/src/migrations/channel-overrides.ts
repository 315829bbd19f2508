import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

/** Changes of a channel's upstream requests. Servers of the release before neither read nor write them. */
export const channelOverrides: MigrationStep = {
  name: "channel-overrides",
  statements: () => [sql.raw("alter table channels add column overrides text not null default ''")],
};
