import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

/** Probes and scheduled checks of channels. Servers of the release before neither read nor write these columns. */
export const channelChecks: MigrationStep = {
  name: "channel-checks",
  statements: () => [
    sql.raw("alter table channels add column test_model text not null default ''"),
    sql.raw("alter table channels add column scheduled_checks integer not null default 1"),
    sql.raw("alter table channels add column probe_time bigint not null default 0"),
    sql.raw("alter table channels add column failed_probes integer not null default 0"),
    sql.raw("alter table channels add column balance_check_time bigint not null default 0"),
    sql.raw("alter table channels add column models_check_time bigint not null default 0"),
    sql.raw("alter table channels add column check_time bigint not null default 0"),
  ],
};
