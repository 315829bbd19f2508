import type { Failure, FailureKind } from "@one-api/providers/failure";
import { noteFailure, noteSuccess } from "./channels/note-outcome.ts";
import { pickRoute, restOfRoute, type Route, weighRoutes } from "./channels/pick-channel.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import { RelayError } from "./relay-error.ts";
import type { RelayJob } from "./relay-job.ts";
import { attemptUpstream, type AttemptResult } from "./upstream/attempt-upstream.ts";
import { answerForFailure } from "./upstream/failure-answer.ts";
import { shouldTryAnother } from "./upstream/retry-policy.ts";

/** A good attempt: what came and through which channel. */
export interface Served {
  readonly route: Route;
  readonly result: Exclude<AttemptResult, { kind: "failure" }>;
}

/** The request failed on every channel that was tried. */
export class UnservedError extends Error {
  override name = "UnservedError";
  readonly answer: RelayError;
  /** The kind of the last failure, for the log. */
  readonly end: FailureKind;
  /** HTTP status of the last answer, for the log; 0 when none came. */
  readonly statusCode: number;

  constructor(answer: RelayError, end: FailureKind, statusCode: number) {
    super(answer.message);
    this.answer = answer;
    this.end = end;
    this.statusCode = statusCode;
  }
}

/** Tries channels until one answers. Throws UnservedError when none does. */
export async function serveJob(deps: RelayDependencies, job: RelayJob): Promise<Served> {
  const tried = new Set<number>();
  let last: Failure | undefined;
  for (;;) {
    const route = nextRoute(deps, job, tried);
    if (route === undefined) throw last === undefined ? allRest(deps, job) : unserved(last);
    const began = deps.clock.monotonicMs();
    const result = await attemptUpstream(deps, job, route);
    const durationMs = Math.round(deps.clock.monotonicMs() - began);
    if (result.kind !== "failure") {
      job.attempts.push({
        channel: route.id,
        status: result.kind === "caller-gone" ? 0 : 200,
        failure: result.kind === "caller-gone" ? "caller-gone" : "",
        duration_ms: durationMs,
      });
      if (result.kind !== "caller-gone") deps.health.noteLatency(route.id, route.upstreamModel, durationMs);
      if (result.kind === "answer") noteSuccess(deps, route);
      return { route, result };
    }
    last = result.failure;
    job.attempts.push({ channel: route.id, status: last.status, failure: describe(last), duration_ms: durationMs });
    noteFailure(deps, route, last);
    tried.add(route.id);
    const again = shouldTryAnother({
      failure: last,
      attempts: tried.size,
      retryTimes: deps.options.number("RetryTimes"),
      answerBegan: false,
      channelPinned: job.pinned,
      callerGone: job.arrival.isCallerGone(),
    });
    if (!again) throw unserved(last);
  }
}

/** The next channel: one that is awake, else one that only failed lately and may be well again. A pinned channel is taken as it is. */
function nextRoute(deps: RelayDependencies, job: RelayJob, tried: ReadonlySet<number>): Route | undefined {
  if (job.pinned) return job.routes.find((route) => !tried.has(route.id));
  const mode = deps.options.text("PoolMode") === "polling" ? "polling" : "random";
  const turnKey = `${job.group} ${job.ask.model}`;
  const pick = (routes: readonly Route[], excluded: ReadonlySet<number>) =>
    pickRoute(weighRoutes(routes, deps.health, deps.clock, excluded), mode, turnKey, deps.health, deps.random());
  const awake = pick(job.routes, tried);
  if (awake !== undefined) return awake;
  return job.routes.find(
    (route) => !tried.has(route.id) && restOfRoute(route, deps.health, deps.clock)?.reason !== "rate-limited",
  );
}

function allRest(deps: RelayDependencies, job: RelayJob): UnservedError {
  const wakes = job.routes.map((route) => restOfRoute(route, deps.health, deps.clock)?.untilMs ?? 0);
  const waitSeconds = Math.ceil((Math.min(...wakes) - deps.clock.nowMs()) / 1000);
  const answer = new RelayError({
    status: 429,
    type: "requests",
    code: "rate_limit_exceeded",
    message: "The providers of this model are at their limit. Try again later.",
    retryAfterSeconds: Math.min(60, Math.max(1, waitSeconds)),
  });
  return new UnservedError(answer, "rate-limited", answer.status);
}

function unserved(failure: Failure): UnservedError {
  return new UnservedError(answerForFailure(failure), failure.kind, failure.status);
}

function describe(failure: Failure): string {
  return `${failure.kind}: ${failure.message}`.slice(0, 300);
}
