import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

export const channelProxy: MigrationStep = {
  name: "channel-proxy",
  statements: () => [
    sql.raw("alter table channels add column proxy text not null default ''"),
    sql.raw("alter table channels add column proxy_cipher text not null default ''"),
  ],
};
