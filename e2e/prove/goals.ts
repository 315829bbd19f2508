import { readFileSync } from "node:fs";
import { fromRoot, repositoryFiles } from "../../scripts/lib/repository.mjs";

const relay = (path: string) => `apps/server/src/relay/${path}.test.ts`;
const server = (path: string) => `apps/server/src/${path}.test.ts`;
const fault = (name: string) => `e2e/faults/${name}.test.ts`;

/** Test files, except those in a browser, with this text. */
function filesWith(text: string): readonly string[] {
  const files = repositoryFiles(["apps/server", "packages", "scripts"]).filter((file) =>
    /\.test\.(?:ts|mjs)$/.test(file),
  );
  return files.filter((file) => readFileSync(fromRoot(file), "utf8").includes(text));
}

/** Values of the environment by which tests take another size. */
type Size = Readonly<Record<string, string>>;

/** Test files, with their sizes; absent: the tests' own. */
export interface TestTrial {
  readonly kind: "tests";
  readonly files: readonly string[];
  readonly named?: string;
  readonly short?: Size;
  readonly long?: Size;
  /** It measures times or memory, so that nothing runs beside it. */
  readonly isAlone?: boolean;
}

/** The bench with SQLite and PostgreSQL, whole answers, one account. */
export interface BenchTrial {
  readonly kind: "bench";
  readonly short: { readonly rounds: number; readonly seconds: number };
  readonly long: { readonly rounds: number; readonly seconds: number };
}

export type Trial = TestTrial | BenchTrial;

/** A value that a trial reports, and its bound; `long` is that of the long size where it differs. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly longAtMost?: number;
}

/** One promise. Without figures its figure is the number of failed tests, and none may fail. */
export type Goal = { readonly name: string; readonly promise: string } & (
  | { readonly trial: Trial; readonly figures?: readonly Figure[] }
  | { readonly skipped: string }
);

const SOAK: TestTrial = {
  kind: "tests",
  files: [fault("soak")],
  long: { SOAK_SECONDS: "600" },
  isAlone: true,
};
const BENCH: BenchTrial = { kind: "bench", short: { rounds: 1, seconds: 2 }, long: { rounds: 5, seconds: 5 } };
const tests = (...files: readonly string[]): TestTrial => ({ kind: "tests", files });

/** Promises that `npm run prove` tries, in the order of its table. */
export const GOALS: readonly Goal[] = [
  {
    name: "G1",
    promise: "balances = grants - charges, compared every second under load",
    trial: SOAK,
    figures: [{ name: "soak.differences", unit: "accounts", atMost: 0 }],
  },
  {
    name: "G2",
    promise: "parallel calls spend no more than the quota",
    trial: { ...tests(relay("request/tests/relayed-request")), named: "parallel calls" },
  },
  { name: "G3", promise: "a code pays once, under races and kill -9", trial: tests(fault("redeem-once")) },
  {
    name: "G4",
    promise: "after kill -9 every delivered answer is charged once",
    trial: { ...tests(fault("crash-recovery")), long: { CRASH_ROUNDS: "100" } },
  },
  {
    name: "G5",
    promise: "a cut stream is charged for what was delivered",
    trial: tests(
      relay("request/tests/interrupted-streams"),
      relay("request/tests/caller-gone-while-streaming"),
      relay("request/tests/caller-gone-before-content"),
    ),
  },
  { name: "G6", promise: "SIGTERM ends no running call, exit code 0", trial: tests(fault("shutdown")) },
  {
    name: "G7",
    promise: "a lost database or failover loses and doubles no charge, and one of 5 s fails no call",
    trial: tests(
      fault("failover"),
      fault("compose-topology"),
      relay("request/tests/database-outage"),
      "packages/ledger/src/lost-connection.test.ts",
    ),
  },
  {
    name: "G8",
    promise: "limits hold across servers, with Redis and without",
    trial: tests(relay("limits/limits-in-force"), relay("limits/share-of-limit"), relay("limits/shared-counters")),
  },
  {
    name: "G9",
    promise: "a full or failing disk delivers nothing unbooked",
    trial: tests(fault("disk-full"), fault("failing-syncs"), "packages/ledger/src/failing-disk.test.ts"),
  },
  {
    name: "G10",
    promise: "more callers than files are refused with 503",
    trial: tests(fault("out-of-files"), server("http/shed-connections")),
  },
  {
    name: "G11",
    promise: "callers that read slowly take bounded memory",
    trial: tests(relay("request/tests/half-closed-and-slow-callers"), relay("request/reply-writer")),
  },
  {
    name: "G12",
    promise: "a caller that leaves ends the provider's request",
    trial: tests(relay("request/tests/caller-gone-before-answer"), relay("request/tests/lingering")),
  },
  {
    name: "G13",
    promise: "the gateway adds little time",
    trial: BENCH,
    figures: [
      { name: "sqlite.addedP50Ms", unit: "ms p50 above a bare proxy", atMost: 4, longAtMost: 2 },
      { name: "sqlite.addedP99Ms", unit: "ms p99 above a bare proxy", atMost: 30 },
      { name: "sqlite.requestsPerSecond", unit: "requests/s", atLeast: 1_000 },
    ],
  },
  {
    name: "G14",
    promise: "one busy user is charged on PostgreSQL",
    trial: BENCH,
    figures: [{ name: "postgres.requestsPerSecond", unit: "requests/s", atLeast: 500 }],
  },
  {
    name: "G15",
    promise: "a soak with faults: memory and the event loop stay bounded",
    trial: SOAK,
    figures: [
      { name: "soak.failed", unit: "calls refused", atMost: 0 },
      { name: "soak.peak", unit: "MiB at most", atMost: 500 },
      { name: "soak.growth", unit: "MiB after the warm-up", atMost: 80, longAtMost: 40 },
      { name: "soak.loop", unit: "ms event loop delay, p99", atMost: 100 },
    ],
  },
  {
    name: "G16",
    promise: "random sequences of faults keep every balance exact",
    trial: { ...tests("packages/ledger/src/ledger-model.test.ts"), long: { LEDGER_RUNS: "1000" } },
  },
  {
    name: "G17",
    promise: "streams read the same wherever bytes are split",
    trial: tests(
      "packages/providers/src/framing/framing.test.ts",
      "packages/providers/src/framing/event-splitter.test.ts",
      "packages/http1/src/client/response-parser.test.ts",
    ),
  },
  {
    name: "G18",
    promise: "random bodies and heads are read as by Node and undici",
    trial: tests(
      "packages/http1/src/client/same-as-undici.test.ts",
      relay("body/scan-body"),
      server("http/find-repeated-name"),
    ),
  },
  {
    name: "G19",
    promise: "ambiguous requests get one answer or 400",
    trial: tests("packages/http1/src/server/same-as-node.test.ts", relay("request/tests/plain-http1-requests")),
  },
  {
    name: "G20",
    promise: "slow connections delay no other caller",
    trial: { ...tests(fault("slow-connections")), long: { SLOW_CONNECTIONS: "5000" }, isAlone: true },
    figures: [
      { name: "slow.growth", unit: "MiB more", atMost: 110, longAtMost: 220 },
      { name: "slow.p99", unit: "ms p99 of other callers", atMost: 500 },
    ],
  },
  {
    name: "G21",
    promise: "a revoked token, user or session stops at once",
    trial: tests(
      relay("callers/changed-elsewhere"),
      relay("callers/caller-changes"),
      relay("in-flight/tests/revocation"),
    ),
  },
  {
    name: "G22",
    promise: "rate limits admit exactly what they say",
    trial: tests(relay("limits/rate-limiter"), relay("callers/tests/refusals-and-rate-limits")),
  },
  {
    name: "G23",
    promise: "every call refuses every role that may not make it",
    trial: tests(server("http/access"), server("http/specified-calls")),
  },
  {
    name: "G24",
    promise: "known holes of gateways are closed (tests [V…]); no secret leaves",
    trial: tests(...filesWith("[V"), server("platform/logging/create-log")),
  },
  {
    name: "G25",
    promise: "charges equal exact integer arithmetic",
    trial: tests(relay("pricing/compute-charge"), "packages/contract/src/prices/ratios.test.ts"),
  },
  {
    name: "G26",
    promise: "a clock that jumps by hours ends nothing and charges right",
    trial: tests(fault("clock-jump")),
  },
  {
    name: "G27",
    promise: "a backup under load comes back whole; a failed migration changes nothing",
    trial: tests(fault("restore-backup"), "packages/database/src/migrate.test.ts"),
  },
  {
    name: "G28",
    promise: "wrong settings are refused with their name",
    trial: tests(server("config"), server("features/options/read-option")),
  },
  { name: "G29", promise: "coverage and mutation score", skipped: "not measured" },
  {
    name: "G30",
    promise: "an hour of random faults",
    skipped: "takes an hour; G15 mixes faults of callers and providers",
  },
  {
    name: "G31",
    promise: "a restart serves soon",
    trial: SOAK,
    figures: [{ name: "soak.start", unit: "ms until ready", atMost: 2_000 }],
  },
  { name: "G32", promise: "concurrent histories are linearisable", skipped: "no checker; G16 compares with a model" },
  {
    name: "Log",
    promise: "the log store answers like the rows, after kills too",
    trial: {
      ...tests("packages/log-store/src/log-store-model.test.ts", "packages/log-store/src/damaged-replica.test.ts"),
      long: { LOG_STORE_RUNS: "500", LOG_STORE_KILLS: "40" },
    },
  },
];
