import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { unixSecondsSchema } from "../fields.ts";
import { LOG_STORE_STATES } from "../logs/log-totals.ts";
import { JOB_NAMES } from "./job-names.ts";

/**
 * | state   | meaning                                                          |
 * |---------|------------------------------------------------------------------|
 * | live    | it runs                                                          |
 * | silent  | it has not reported for half a minute, and is not declared dead  |
 * | dead    | it ended without a stop; other servers settle its requests       |
 * | stopped | it was stopped                                                   |
 */
const SERVER_STATES = ["live", "silent", "dead", "stopped"] as const;

const serverSchema = z.object({
  id: z.int(),
  /** Empty, like the version, for a server of an older version, which does not report. */
  name: z.string(),
  version: z.string(),
  state: z.enum(SERVER_STATES),
  /** 0 for unknown, like the other times of a server. */
  started_at: unixSecondsSchema,
  reported_at: unixSecondsSchema,
  stopped_at: unixSecondsSchema,
  in_flight: z.int(),
  is_this: z.boolean(),
});

const jobSchema = z.object({
  name: z.enum(JOB_NAMES),
  every_ms: z.number(),
  runs: z.int(),
  last_run_at: unixSecondsSchema,
  last_ms: z.number(),
  /** Of the last run; empty if it succeeded. Secrets are masked. */
  last_error: z.string(),
  next_run_at: unixSecondsSchema,
});

const outageSchema = z.object({
  /** Both within the ten seconds between two checks. */
  started_at: unixSecondsSchema,
  ended_at: unixSecondsSchema,
  failed_writes: z.int(),
  /** Why the check failed; empty if only other writes did. Secrets are masked. */
  reason: z.string(),
});

export const getSystem = defineCall({
  method: "GET",
  path: "/api/system",
  access: "root",
  summary: "Returns the state of all servers, and of the database, jobs and memory as the answering server sees them",
  data: z.object({
    at: unixSecondsSchema,
    servers: z.array(serverSchema),
    database: z.object({
      kind: z.enum(["sqlite", "postgres"]),
      version: z.string(),
      bytes: z.number(),
      is_writable: z.boolean(),
      connections: z.object({ open: z.int(), busy: z.int(), waiting: z.int(), limit: z.int() }),
      all_connections: z.nullable(z.object({ open: z.int(), limit: z.int() })),
      /** Since the answering server's start. */
      failed_writes: z.int(),
    }),
    log_store: z.object({
      state: z.enum(LOG_STORE_STATES),
      progress: z.number(),
      /** Entries that it lacked after its last step. */
      behind: z.int(),
    }),
    jobs: z.array(jobSchema),
    /** Noticed by the answering server since its start, newest first. */
    outages: z.array(outageSchema),
    process: z.object({
      node: z.string(),
      memory_bytes: z.number(),
      heap_bytes: z.number(),
      /** Since the last read, in ms; null at the first read. */
      event_loop_delay: z.nullable(z.object({ p50_ms: z.number(), p99_ms: z.number(), max_ms: z.number() })),
      budgets: z.array(
        z.object({ name: z.enum(["bodies", "answers", "sessions"]), used_bytes: z.number(), limit_bytes: z.number() }),
      ),
    }),
    /** Last comparison of all balances with the ledger, by any server. */
    balances: z.object({
      checked_at: unixSecondsSchema,
      differences: z.int(),
    }),
    audit: z.object({
      sealed_up_to: unixSecondsSchema,
      unsealed: z.int(),
      checked_at: unixSecondsSchema,
      problems: z.int(),
    }),
  }),
});

export type SystemState = z.infer<(typeof getSystem)["data"]>;
