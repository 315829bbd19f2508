import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { Logger, LogFn } from "pino";

const WINDOW_MS = 60_000;
const MOST_CAUSES = 500;
const MOST_REQUEST_IDS = 50;
const FURTHER_CAUSES = "";
const SUBJECT_FIELDS = ["job", "channelId", "batch", "option"];
const LEVEL_FATAL = 60;

type LogArguments = Parameters<LogFn>;

interface Cause {
  repeated: number;
  readonly requestIds: Set<string>;
}

/**
 * Returns a pino hook that logs each cause of failures at most once a minute, and then the number and ids of its
 * repetitions. Fatal lines are not limited.
 */
export function logEachCauseOnce(): (this: Logger, line: LogArguments, write: LogFn, level: number) => void {
  const causes = new Map<string, Cause>();
  const openWindow = (key: string, report: (cause: Cause) => void): void => {
    const cause: Cause = { repeated: 0, requestIds: new Set() };
    causes.set(key, cause);
    setTimeout(() => {
      causes.delete(key);
      if (cause.repeated === 0) return;
      openWindow(key, report);
      report(cause);
    }, WINDOW_MS).unref();
  };
  return function log(line, write, level) {
    const failure = level < LEVEL_FATAL ? readFailure(line) : undefined;
    if (failure === undefined) return write.apply(this, line);
    const own = keyOf(failure);
    const key = causes.has(own) || causes.size < MOST_CAUSES ? own : FURTHER_CAUSES;
    const cause = causes.get(key);
    if (cause !== undefined) return count(cause, requestIdOf(failure, this));
    openWindow(key, ({ repeated, requestIds }) => {
      const reason = failure.error instanceof Error ? failure.error.message : String(failure.error);
      const requests = requestIds.size === 0 ? {} : { requestIds: [...requestIds] };
      write.call(this, { ...failure.subjects, repeated, reason, ...requests }, `${failure.message} (repeated)`);
    });
    write.apply(this, line);
  };
}

function count(cause: Cause, requestId: string | undefined): void {
  cause.repeated += 1;
  if (requestId !== undefined && cause.requestIds.size < MOST_REQUEST_IDS) cause.requestIds.add(requestId);
}

interface Failure {
  readonly error: unknown;
  readonly message: string;
  readonly subjects: Readonly<Record<string, unknown>>;
  readonly requestId: unknown;
}

function readFailure([details, text]: readonly unknown[]): Failure | undefined {
  if (typeof details !== "object" || details === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = details instanceof Error ? { err: details } : { ...details };
  if (fields["err"] === undefined) return undefined;
  const subjects: Record<string, unknown> = {};
  for (const name of SUBJECT_FIELDS) if (fields[name] !== undefined) subjects[name] = fields[name];
  return {
    error: fields["err"],
    message: typeof text === "string" ? text : "a failure",
    subjects,
    requestId: fields["requestId"],
  };
}

/** An unavailable database is one cause for all failures. Otherwise jobs and channels are separate causes. */
function keyOf({ error, message, subjects }: Failure): string {
  const reason = reasonOf(error);
  return error instanceof DatabaseUnavailableError
    ? `database ${reason}`
    : `${message} ${JSON.stringify(subjects)} ${reason}`;
}

function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return error instanceof Error ? `${error.name} ${error.message.replaceAll(/\d+/g, "0")}` : typeof error;
}

function requestIdOf({ requestId }: Failure, logger: Logger): string | undefined {
  const bindings: Readonly<Record<string, unknown>> = logger.bindings();
  const id = requestId ?? bindings["reqId"];
  return typeof id === "string" ? id : undefined;
}
