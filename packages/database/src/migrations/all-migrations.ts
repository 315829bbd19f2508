import { baseline } from "./baseline.ts";
import type { Migration } from "./migration.ts";
import { rateLimits } from "./rate-limits.ts";

/** Every migration, in order. New ones go to the end; a released one is never changed or removed. */
export const allMigrations: readonly Migration[] = [baseline, rateLimits];
