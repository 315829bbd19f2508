import type { JobName } from "@one-api/contract/system/job-names";
import type { Logger } from "pino";
import { maskSecrets } from "../logging/mask-secrets.ts";
import type { Clock } from "../clock.ts";

const LONGEST_ERROR = 300;

export interface JobRun {
  readonly name: JobName;
  readonly everyMs: number;
  runs: number;
  lastRunAtMs: number;
  lastMs: number;
  /** Without secrets; empty if the last run succeeded. */
  lastError: string;
  nextRunAtMs: number;
}

export class JobRuns {
  readonly log: Logger;
  readonly #clock: Clock;
  readonly #jobs: JobRun[] = [];

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.log = log;
  }

  get all(): readonly Readonly<JobRun>[] {
    return this.#jobs;
  }

  add(name: JobName, everyMs: number): JobRun {
    const nextRunAtMs = this.#clock.nowMs() + everyMs;
    const job = { name, everyMs, runs: 0, lastRunAtMs: 0, lastMs: 0, lastError: "", nextRunAtMs };
    this.#jobs.push(job);
    return job;
  }

  tick(job: JobRun): void {
    job.nextRunAtMs = this.#clock.nowMs() + job.everyMs;
  }

  async run(job: JobRun, work: () => Promise<void>): Promise<void> {
    const startedAtMs = this.#clock.nowMs();
    const started = this.#clock.monotonicMs();
    let lastError = "";
    try {
      await work();
    } catch (error) {
      this.log.error({ err: error, job: job.name }, "periodic job failed; the next run tries again");
      lastError = describeFailure(error);
    }
    job.runs += 1;
    job.lastRunAtMs = startedAtMs;
    job.lastMs = this.#clock.monotonicMs() - started;
    job.lastError = lastError;
  }
}

/** Returns the error's message in one line, without secrets. */
export function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const masked = String(maskSecrets(message)).replaceAll(/\s+/g, " ").trim();
  return masked.length > LONGEST_ERROR ? `${masked.slice(0, LONGEST_ERROR)}…` : masked;
}
