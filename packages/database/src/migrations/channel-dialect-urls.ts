import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

export const channelDialectUrls: MigrationStep = {
  name: "channel-dialect-urls",
  statements: () => [sql.raw("alter table channels add column dialect_urls text not null default ''")],
};
