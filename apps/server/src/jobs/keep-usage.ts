import type { OpenDatabase } from "@one-api/database/open-database";
import type { Clock } from "../core/clock.ts";
import { createPace } from "../core/work/pace.ts";
import { type FailureLog, type RepeatedWork, repeatWork } from "../core/work/repeat-work.ts";
import { findSettledId } from "@one-api/database/find-settled-id";
import { foldNextUsage } from "../features/usage/index.ts";

/** Between two looks for entries of the log that are in no sums yet, in ms. */
const EVERY_MS = 1_000;
/** Sums never change again, but a charge whose commit ended unknown is booked anew within seconds: entries are left alone for so long. */
const LAG_MS = 15_000;

/** Adds the log up for the dashboard and the status page while the server runs. */
export function keepUsage(
  database: OpenDatabase,
  clock: Pick<Clock, "monotonicMs">,
  log: FailureLog,
): Pick<RepeatedWork, "stop"> {
  let stopping = false;
  let seen: { readonly id: number; readonly atMs: number }[] = [];
  const work = repeatWork({ name: "usage sums", everyMs: EVERY_MS, log }, async () => {
    const nowMs = clock.monotonicMs();
    seen.push({ id: await findSettledId(database, "logs"), atMs: nowMs });
    const old = seen.findLast(({ atMs }) => nowMs - atMs >= LAG_MS);
    if (old === undefined) return;
    seen = seen.filter(({ atMs }) => atMs >= old.atMs);
    const rest = createPace();
    while (!stopping && (await foldNextUsage(database, old.id, { rest }))) await rest();
  });
  return {
    stop() {
      stopping = true;
      return work.stop();
    },
  };
}
