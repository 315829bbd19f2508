import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

/** A proxy of each channel's own. Servers of the release before neither read nor write it. */
export const channelProxy: MigrationStep = {
  name: "channel-proxy",
  statements: () => [
    sql.raw("alter table channels add column proxy text not null default ''"),
    sql.raw("alter table channels add column proxy_cipher text not null default ''"),
  ],
};
