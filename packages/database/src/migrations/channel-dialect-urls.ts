import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

/** Addresses of dialects. Servers of the release before neither read nor write them. */
export const channelDialectUrls: MigrationStep = {
  name: "channel-dialect-urls",
  statements: () => [sql.raw("alter table channels add column dialect_urls text not null default ''")],
};
