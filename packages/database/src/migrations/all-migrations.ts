import { baseline } from "./baseline.ts";
import { channelProxy } from "./channel-proxy.ts";
import type { Migration } from "./migration.ts";
import { rateLimits } from "./rate-limits.ts";
import { serverReports } from "./server-reports.ts";

/** All migrations in order. Append new ones; never change or remove a released one. */
export const allMigrations: readonly Migration[] = [baseline, rateLimits, serverReports, channelProxy];
