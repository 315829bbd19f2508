import { setTimeout as wait } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type FailureLog, type RepeatedWork, repeatWork } from "../core/repeat-work.ts";
import { findSettledId } from "../core/find-settled-id.ts";
import { buildNextBatch } from "../features/logs/index.ts";

/** Between two looks for entries of the log that are in no batch yet, in ms. */
const EVERY_MS = 1_000;
/** After each batch, so that requests come first while a long log is made up for. */
const PAUSE_MS = 25;

/** Groups what the log gains, for its lists and totals, while the server runs. */
export function keepLogGroups(database: OpenDatabase, log: FailureLog): Pick<RepeatedWork, "stop"> {
  let stopping = false;
  const work = repeatWork({ name: "log groups", everyMs: EVERY_MS, log }, async () => {
    const settledId = await findSettledId(database, "logs");
    while (!stopping && (await buildNextBatch(database, settledId))) await wait(PAUSE_MS);
  });
  return {
    stop() {
      stopping = true;
      return work.stop();
    },
  };
}
