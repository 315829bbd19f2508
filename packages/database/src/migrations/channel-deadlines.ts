import { sql } from "kysely";
import type { MigrationStep } from "./migration.ts";

const COLUMNS = ["first_token_seconds", "idle_seconds", "total_seconds"];

export const channelDeadlines: MigrationStep = {
  name: "channel-deadlines",
  statements: ({ kind }) => [
    ...COLUMNS.map((name) => sql.raw(`alter table channels add column ${name} integer not null default 0`)),
    sql.raw(
      `alter table channels add column paused_until ${kind === "sqlite" ? "integer" : "bigint"} not null default 0`,
    ),
  ],
};
