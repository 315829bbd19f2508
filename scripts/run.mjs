// Installs missing parts, builds a stale console, and runs a program of the table below for its npm script.
import { prepare } from "./lib/prepare.mjs";
import { PlainError, runMain } from "./lib/repository.mjs";
import { runForeground } from "./lib/run-foreground.mjs";

/** @type {Record<string, { file: string, withConsole: boolean } | undefined>} */
const programs = {
  start: { file: "apps/server/src/main.ts", withConsole: true },
  demo: { file: "apps/server/src/demo/run-demo.ts", withConsole: true },
  import: { file: "apps/server/src/import/run-import.ts", withConsole: false },
  "recover-root": { file: "apps/server/src/recover-root.ts", withConsole: false },
  "verify-audit": { file: "apps/server/src/verify-audit.ts", withConsole: false },
  "check-balances": { file: "apps/server/src/check-balances.ts", withConsole: false },
  backup: { file: "apps/server/src/backup/run-backup.ts", withConsole: false },
  restore: { file: "apps/server/src/backup/run-restore.ts", withConsole: false },
  "rotate-key": { file: "apps/server/src/rotate-key/run-rotate-key.ts", withConsole: false },
  config: { file: "apps/server/src/configure/run-config.ts", withConsole: false },
  bench: { file: "bench/src/main.ts", withConsole: false },
  prove: { file: "e2e/prove/prove.ts", withConsole: false },
  clients: { file: "e2e/clients/run-clients.ts", withConsole: false },
  tour: { file: "e2e/tours/run-tours.ts", withConsole: true },
};

await runMain(async () => {
  const [name = "", ...rest] = process.argv.slice(2);
  if (name === "build") {
    await prepare({ withConsole: true });
    return console.log("One API is built: it starts without writing to this folder.");
  }
  const program = programs[name];
  if (program === undefined) throw new PlainError(`Name a program: build, ${Object.keys(programs).join(", ")}.`);
  runForeground(await prepare(program), program.file, rest);
});
