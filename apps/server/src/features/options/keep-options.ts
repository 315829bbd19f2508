import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import { type RepeatedWork, repeatWork } from "../../core/work/repeat-work.ts";
import type { LoadedOptionStore } from "./create-option-store.ts";

/** Between two looks for what other servers changed, in ms. */
const EVERY_MS = 1_000;

/** Keeps the options as the other servers on the database set them; a file has no other servers. */
export function keepOptions(
  database: OpenDatabase,
  options: LoadedOptionStore,
  log: Logger,
): Pick<RepeatedWork, "stop"> {
  if (database.kind === "sqlite") return { stop: () => Promise.resolve() };
  return repeatWork({ name: "options", everyMs: EVERY_MS, log }, () => options.followOthers());
}
