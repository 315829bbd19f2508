import { availableParallelism, cpus, loadavg } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../../scripts/suites/start-postgres.mjs";
import { type Goal, GOALS, type Trial } from "./goals.ts";
import { type Row, rowsOf } from "./rows-of.ts";
import { runTrial, type TrialResult } from "./run-trial.ts";

// npm run prove [-- --long] [--only G3,G7] [--seed N]: tries what docs/reliability.md promises and prints a table. Exit code 1 if a goal is missed,
// 2 for wrong arguments.
const { isLong, seed, chosen } = readArguments();
const print = (line: string) => void process.stdout.write(`${line}\n`);

const NODE_FOLDER = path.dirname(process.execPath);
const inherited = { ...process.env, PATH: [NODE_FOLDER, process.env["PATH"]].join(path.delimiter) };
const postgres = await startPostgres({ node: process.execPath, env: inherited });
const env = { ...inherited, ...postgres.env };

const results = new Map<Trial, TrialResult>();
try {
  const trials = [...new Set(chosen.flatMap((goal) => ("trial" in goal ? [goal.trial] : [])))];
  const isAlone = (trial: Trial) => trial.kind === "bench" || trial.isAlone === true;
  const together = trials.filter((trial) => !isAlone(trial));
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, () => runAll(together)));
  await runAll(trials.filter(isAlone));
} finally {
  await postgres.stop();
}
const rows = chosen.flatMap((goal) => rowsOf(goal, "trial" in goal ? results.get(goal.trial) : undefined, isLong));
printTable(rows);
for (const { failures } of results.values()) for (const failure of failures) print(`\n${failure}`);
const missed = rows.filter(({ verdict }) => verdict === "NO").length;
const skippedCount = rows.filter(({ verdict }) => verdict === "skipped").length;
print(`\n${rows.length - missed - skippedCount} met, ${missed} missed, ${skippedCount} skipped; seed ${seed}`);
const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`;
print(`${new Date().toISOString().slice(0, 10)}, ${machine}`);
process.exitCode = missed > 0 ? 1 : 0;

/** Takes trials off the list, one after the other. */
async function runAll(waiting: Trial[]): Promise<void> {
  for (let trial = waiting.shift(); trial !== undefined; trial = waiting.shift()) {
    const startMs = performance.now();
    results.set(trial, await runTrial(trial, { isLong, seed, env }));
    const names = chosen.filter((goal) => "trial" in goal && goal.trial === trial).map(({ name }) => name);
    print(`${names.join(", ")}: ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
  }
}

function printTable(lines: readonly Row[]): void {
  const cells = lines.map(({ goal, figure, bound, verdict }) => [goal, figure, bound, String(seed), verdict]);
  const all = [["goal", "figure", "bound", "seed", "ok"], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  print("");
  for (const row of all)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

function readArguments(): { isLong: boolean; seed: number; chosen: readonly Goal[] } {
  try {
    const { values } = parseArgs({
      options: {
        long: { type: "boolean", default: false },
        only: { type: "string", default: "" },
        seed: { type: "string", default: "1" },
      },
    });
    const only = values.only.split(",").filter((name) => name !== "");
    const unknown = only.find((name) => GOALS.every((goal) => goal.name !== name));
    if (unknown !== undefined)
      throw new Error(`There is no goal ${unknown}: use ${GOALS.map(({ name }) => name).join(", ")}.`);
    if (!/^\d{1,9}$/.test(values.seed)) throw new Error("--seed takes a whole number of up to nine digits.");
    const chosenGoals = GOALS.filter(({ name }) => only.length === 0 || only.includes(name));
    return { isLong: values.long, seed: Number(values.seed), chosen: chosenGoals };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}
