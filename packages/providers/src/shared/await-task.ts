import { type Failure, NO_CONNECTION, ProviderFailedError } from "../failure.ts";
import type { Requester, UpstreamAddress, UpstreamCall } from "../provider.ts";
import type { ProviderIo } from "../provider-io.ts";
import { isRecord, type JsonRecord, parseJson } from "./json-fields.ts";

export interface ProviderTask {
  readonly address: UpstreamAddress;
  readonly isRunning: (state: JsonRecord) => boolean;
  cancel(): Promise<unknown>;
}

export const MOST_TASK_MS = 300_000;
const FIRST_PAUSE_MS = 250;
const MOST_PAUSE_MS = 2_000;
const LOOK_TIMEOUT_MS = 15_000;
const MOST_SILENCES = 5;
const NOTHING = Buffer.alloc(0);

/**
 * Polls a task until it ends and returns the call that reads its result. Cancels it and rejects with ProviderFailedError after a disconnect, a
 * timeout or failed polls.
 */
export async function awaitTask(
  task: ProviderTask,
  io: ProviderIo,
  requester?: Pick<Requester, "isWaiting">,
): Promise<UpstreamCall> {
  const until = io.nowMs() + MOST_TASK_MS;
  let silences = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MOST_PAUSE_MS)) {
    await io.wait(pauseMs);
    if (requester?.isWaiting === false)
      return await end(task, failure("timeout", "The client disconnected before the task ended."));
    const state = await look(task, io);
    if (state === "over") return { method: "GET", address: task.address, body: NOTHING };
    silences = state === "silent" ? silences + 1 : 0;
    if (silences > MOST_SILENCES)
      return await end(
        task,
        failure("connection", "The provider does not report the state of the task. Try again later."),
      );
    if (io.nowMs() > until)
      return await end(task, failure("timeout", "The provider did not finish the task in time. Try again later."));
  }
}

async function look({ address, isRunning }: ProviderTask, io: ProviderIo): Promise<"running" | "over" | "silent"> {
  const question = { ...address, body: NOTHING, timeoutMs: LOOK_TIMEOUT_MS };
  const reply = await io.ask({ method: "GET", ...question }).catch(() => undefined);
  if (reply === undefined || reply.status === 429 || reply.status >= 500) return "silent";
  // The reader of the answer handles any other refusal.
  if (reply.status > 299) return "over";
  const state = parseJson(reply.text);
  if (!isRecord(state)) return "silent";
  return isRunning(state) ? "running" : "over";
}

async function end(task: ProviderTask, why: Failure): Promise<never> {
  await task.cancel().catch(() => undefined);
  throw new ProviderFailedError(why);
}

function failure(kind: Failure["kind"], message: string): Failure {
  return { ...NO_CONNECTION, kind, message };
}
