import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { findOnPath } from "../../scripts/lib/find-programs.mjs";
import { runCaptured } from "../../scripts/lib/run-captured.mjs";
import type { BenchTrial, TestTrial, Trial } from "./goals.ts";

export interface TrialResult {
  readonly passed: number;
  readonly failures: readonly string[];
  /** Why tests could not run. */
  readonly skips: readonly string[];
  readonly figures: ReadonlyMap<string, number>;
}

export interface TrialOptions {
  readonly isLong: boolean;
  readonly seed: number;
  readonly env: NodeJS.ProcessEnv;
}

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const here = (name: string) => new URL(name, import.meta.url).href;

const lineSchema = z.object({
  name: z.string(),
  outcome: z.enum(["passed", "failed", "skipped", "said"]),
  reason: z.string(),
});
const FIGURE = /^figure (\S+)=(\S+)$/;
/** A file of tests says nothing for so long while its longest test runs. */
const FILE_LIMIT_MS = 4 * 3_600_000;

export function runTrial(trial: Trial, options: TrialOptions): Promise<TrialResult> {
  return trial.kind === "bench" ? runBench(trial, options) : runTests(trial, options);
}

async function runTests(
  { files, named, short = {}, long = {} }: TestTrial,
  { isLong, seed, env }: TrialOptions,
): Promise<TrialResult> {
  return inFolder(async (folder) => {
    const report = join(folder, "report");
    const command = [
      "--disable-warning=ExperimentalWarning",
      `--import=${here("seed-fast-check.ts")}`,
      `--test-reporter=${here("report-lines.ts")}`,
      `--test-reporter-destination=${report}`,
      ...(named === undefined ? [] : [`--test-name-pattern=${named}`]),
      inRoot("scripts/suites/run-files.mjs"),
      String(FILE_LIMIT_MS),
      ...files,
    ];
    const text = String(seed);
    const seeds = { FAULT_SEED: text, LEDGER_SEED: text, LOG_STORE_SEED: text, FAST_CHECK_SEED: text };
    const size = isLong ? long : short;
    const run = await runCaptured(process.execPath, command, { env: { ...env, ...seeds, ...size } });
    const lines = readFileSync(report, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => lineSchema.parse(JSON.parse(line)));
    const of = (outcome: (typeof lines)[number]["outcome"]) => lines.filter((line) => line.outcome === outcome);
    const failures = of("failed").map(({ name, reason }) => `${name}: ${reason}`);
    return {
      passed: of("passed").length,
      failures: run.ok || failures.length > 0 ? failures : [`${run.ending}: ${run.output.slice(-2_000)}`],
      skips: [...new Set(of("skipped").flatMap(({ reason }) => (reason === "true" ? [] : [reason])))],
      figures: new Map(
        of("said").flatMap(({ name }) => {
          const [, figure, value] = FIGURE.exec(name) ?? [];
          return figure === undefined ? [] : [[figure, Number(value)] as const];
        }),
      ),
    };
  });
}

const summariesSchema = z.array(z.looseObject({ subject: z.string() }));

async function runBench(trial: BenchTrial, { isLong, env }: TrialOptions): Promise<TrialResult> {
  const cannot = (reason: string) => ({ passed: 0, failures: [], skips: [reason], figures: new Map() });
  if (findOnPath("wrk") === undefined) return cannot("wrk is not installed");
  if (process.platform !== "linux" || availableParallelism() < 2) return cannot("needs two cores and Linux");
  const { rounds, seconds } = isLong ? trial.long : trial.short;
  return inFolder(async (folder) => {
    const file = join(folder, "bench.json");
    const chosen = ["--only", "sqlite,postgres,answers", "--accounts", "1", "--json", file];
    const size = ["--rounds", String(rounds), "--seconds", String(seconds)];
    const command = ["--disable-warning=ExperimentalWarning", inRoot("bench/src/main.ts"), ...chosen, ...size];
    const run = await runCaptured(process.execPath, command, { env });
    if (!run.ok)
      return { passed: 0, failures: [`the bench: ${run.output.slice(-2_000)}`], skips: [], figures: new Map() };
    const summaries = summariesSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    const figures = summaries.flatMap(({ subject, ...values }) =>
      Object.entries(values).flatMap(([name, value]) =>
        typeof value === "number" ? [[`${subject}.${name}`, value] as const] : [],
      ),
    );
    return { passed: summaries.length, failures: [], skips: [], figures: new Map(figures) };
  });
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "one-api-prove-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
