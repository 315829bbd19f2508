import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

const COLUMNS = ["test_minutes", "balance_minutes", "models_minutes"];

export const channelSchedules: MigrationStep = {
  name: "channel-schedules",
  statements: () =>
    COLUMNS.map((name) => sql.raw(`alter table channels add column ${name} integer not null default -1`)),
};
