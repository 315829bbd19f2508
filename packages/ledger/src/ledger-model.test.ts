import { describe, it } from "node:test";
import {
  createMigratedDatabase,
  DATABASE_KINDS,
  type DatabaseKind,
  whyMissing,
} from "@one-api/database/test-databases";
import fc from "fast-check";
import { ledgerCommands } from "./testing/commands.ts";
import { World } from "./testing/world.ts";

/** Sequences for each database, always the same ones: LEDGER_RUNS=10000 runs more, LEDGER_SEED=7 others. */
const RUNS = { sqlite: 15, postgres: 4, ...allRuns(process.env["LEDGER_RUNS"]) };
const SEED = Number(process.env["LEDGER_SEED"] ?? 1);

for (const kind of DATABASE_KINDS) {
  describe(`the ledger on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    it("charges each request once and keeps every balance exact, whatever fails", async (context) => {
      const { timers } = context.mock;
      const property = fc.asyncProperty(
        ledgerCommands,
        fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 2, maxLength: 2 }),
        fc.integer({ min: 1, max: kind === "sqlite" ? 1 : 3 }),
        async (commands, quota, servers) => {
          timers.enable({ apis: ["setTimeout", "setInterval"] });
          const made = await createMigratedDatabase(kind);
          const world = await World.create(timers, made, quota);
          try {
            for (let count = 0; count < servers; count += 1) await world.start();
            await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
            await world.finish();
          } finally {
            await world.close();
            await made.remove();
            // Each tick would look at what servers of earlier sequences have left.
            timers.reset();
          }
        },
      );
      await fc.assert(property, { numRuns: RUNS[kind], seed: SEED });
    });
  });
}

function allRuns(count: string | undefined): Partial<Record<DatabaseKind, number>> {
  return count === undefined ? {} : { sqlite: Number(count), postgres: Number(count) };
}
