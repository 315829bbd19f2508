import { parentPort, workerData } from "node:worker_threads";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { openSqliteAgain } from "@one-api/database/dialects/sqlite";
import type { WriteTurns } from "@one-api/database/open-database";
import { z } from "zod";
import { systemClock } from "../core/clock.ts";
import { keepBoth } from "./keep-log-sums.ts";
import type { FromLogSums, ToLogSums } from "./log-sums-in-thread.ts";

// Sums up the log on a connection of its own, so that neither requests nor streams wait meanwhile. Who started it says when it may write.
const { file } = z.object({ file: z.string() }).parse(workerData);

interface Waiter {
  readonly grant: () => void;
  readonly refuse: (error: Error) => void;
}

const waiters: Waiter[] = [];
const writeTurns: WriteTurns = {
  take: () =>
    new Promise((grant, refuse) => {
      waiters.push({ grant, refuse });
      tell({ kind: "take-turn" });
    }),
  release: () => tell({ kind: "release-turn" }),
};

const database = openSqliteAgain(file, writeTurns);
const work = keepBoth(database, systemClock, {
  error: ({ err, job }) => tell({ kind: "failed", job, error: err instanceof Error ? err : new Error(String(err)) }),
});

parentPort?.on("message", (message: ToLogSums) => {
  if (message.kind === "stop") void stop();
  else if (message.kind === "turn") waiters.shift()?.grant();
  else waiters.shift()?.refuse(new DatabaseUnavailableError(message.reason));
});

async function stop(): Promise<void> {
  await work.stop();
  await database.close();
  parentPort?.close();
}

function tell(message: FromLogSums): void {
  parentPort?.postMessage(message);
}
