import { endOfError, type JobEnd } from "../job-end.ts";
import type { RelayDependencies } from "../relay-dependencies.ts";
import type { RelayJob } from "../relay-job.ts";
import { bookJob } from "../settle-request.ts";

const CALLER_GONE = {
  usage: undefined,
  rule: "none",
  end: "caller-gone",
  result: "caller-gone",
  statusCode: 0,
} as const;

/** Gives back what was set aside for a session that no provider has opened, and leaves a row of the log. Never rejects. */
export function logUnopened(
  deps: RelayDependencies,
  job: RelayJob,
  error: unknown,
  isCallerGone: boolean,
): Promise<unknown> {
  const told = isCallerGone ? CALLER_GONE : endOfError(error);
  const end: JobEnd = { ...told, route: undefined, note: undefined, firstByteMs: 0, written: undefined };
  return new Promise((resolve) => bookJob(deps, job, { end, late: end }, resolve));
}
