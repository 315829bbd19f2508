import type { OpenDatabase } from "@one-api/database/open-database";
import { createPace } from "../core/work/pace.ts";
import { type FailureLog, type RepeatedWork, repeatWork } from "../core/work/repeat-work.ts";
import { findSettledId } from "@one-api/database/find-settled-id";
import { buildNextBatch } from "../features/logs/index.ts";

/** Between two looks for entries of the log that are in no batch yet, in ms. */
const EVERY_MS = 1_000;

/** Groups what the log gains, for its lists and totals, while the server runs. */
export function keepLogGroups(database: OpenDatabase, log: FailureLog): Pick<RepeatedWork, "stop"> {
  let stopping = false;
  const work = repeatWork({ name: "log groups", everyMs: EVERY_MS, log }, async () => {
    const settledId = await findSettledId(database, "logs");
    const rest = createPace();
    while (!stopping && (await buildNextBatch(database, settledId, { rest }))) await rest();
  });
  return {
    stop() {
      stopping = true;
      return work.stop();
    },
  };
}
