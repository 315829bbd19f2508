import { parentPort, workerData } from "node:worker_threads";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { openSqliteAgain } from "@one-api/database/dialects/sqlite";
import { z } from "zod";
import { type CommitReply, type CommitRequest, createGroupCommitter } from "./commit-groups.ts";

// The ledger's own thread: it commits groups on a connection of its own, so that no stream waits while the disk syncs.
const { file } = z.object({ file: z.string() }).parse(workerData);
const committer = createGroupCommitter(openSqliteAgain(file), () => "");

parentPort?.on("message", ({ group, attempt }: CommitRequest) => {
  committer.commit(group, attempt).then(
    (outcomes) => answer({ ok: true, outcomes }),
    (error: unknown) => answer(refusal(error)),
  );
});

function answer(reply: CommitReply): void {
  parentPort?.postMessage(reply);
}

function refusal(error: unknown): CommitReply {
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, message, unavailable: error instanceof DatabaseUnavailableError };
}
