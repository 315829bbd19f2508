import { LogStoreError, type LogStoreFailure } from "@one-api/log-store/log-store";
import type { Answered, AnswerTo, LogQuestion } from "@one-api/log-store/questions";
import type { CallContext } from "../../core/call-context.ts";
import { AppError } from "../../core/app-error.ts";

const REFUSALS: Readonly<Record<LogStoreFailure, readonly [code: AppError["code"], message: string]>> = {
  unavailable: [
    "log-store-off",
    "This server has no log store, which totals and dashboards come from. Ask another server, or see LOG_STORE in the documents.",
  ],
  busy: ["log-store-busy", "Too many questions about the log are waiting. Try again in a moment."],
  cancelled: ["log-store-failed", "The question about the log was cancelled. Try again."],
  "time-limit": [
    "log-question-too-long",
    "The question about the log took too long. Choose a shorter time or fewer entries.",
  ],
  memory: [
    "log-question-too-long",
    "The question about the log needs too much memory. Choose a shorter time or fewer entries.",
  ],
  failed: ["log-store-failed", "The log could not be asked just now. Try again in a moment."],
};

/** Asks the log store. Cancelled when the caller disconnects. Throws `log-store-…` or `log-question-too-long`. */
export async function askLog<Question extends LogQuestion>(
  { logStore, signal }: Pick<CallContext, "logStore" | "signal">,
  question: Question,
): Promise<Answered<AnswerTo<Question>>> {
  try {
    return await logStore.ask(question, signal);
  } catch (error) {
    if (!(error instanceof LogStoreError)) throw error;
    const [code, message] = REFUSALS[error.code];
    throw new AppError(code, message);
  }
}
