// npm run dev: the server restarting on changes, the console with hot reload, a fake upstream, and a seeded database of its own.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { packageBin } from "./lib/package-bin.mjs";
import { PlainError, runMain } from "./lib/plain-error.mjs";
import { fromRoot, repositoryRoot } from "./lib/repository-paths.mjs";
import { runCaptured } from "./lib/run-captured.mjs";
import { runTogether } from "./lib/run-together.mjs";
import { prepare } from "./prepare.mjs";

const dataDir = fromRoot(".cache", "dev-data");
const quiet = "--disable-warning=ExperimentalWarning";

await runMain(async () => {
  const node = await prepare({ withConsole: false });
  const env = { ...process.env, PORT: "3000", DATA_DIR: dataDir };
  await seedWhenNew(node, env);
  const consoleFolder = fromRoot("apps", "console");
  const vite = packageBin("vite", { workspace: "apps/console" });
  const upstream = [quiet, "packages/fake-upstream/src/main.ts", "--port", "8400"];
  process.exitCode = await runTogether([
    {
      name: "server",
      command: node,
      arguments: [quiet, "--watch", "apps/server/src/main.ts"],
      cwd: repositoryRoot,
      env,
    },
    { name: "console", command: node, arguments: [vite, "--port", "5173", "--strictPort"], cwd: consoleFolder, env },
    { name: "upstream", command: node, arguments: upstream, cwd: repositoryRoot, env },
  ]);
});

/** @param {string} node @param {NodeJS.ProcessEnv} env */
async function seedWhenNew(node, env) {
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) return;
  console.log("Filling the development database with samples (first time)…");
  const run = await runCaptured(node, [quiet, "apps/server/src/demo/seed-demo.ts"], { env });
  if (run.ok) return;
  rmSync(dataDir, { recursive: true, force: true });
  throw new PlainError(
    `${run.output}\nThe development database could not be filled (${run.ending}); the output is above.`,
  );
}
