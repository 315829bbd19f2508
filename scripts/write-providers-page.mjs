// npm run providers-page: calls every provider by every API, and writes the results into docs/providers.md.
import { spawnSync } from "node:child_process";
import { prepare } from "./lib/prepare.mjs";
import { repositoryRoot, runMain } from "./lib/repository.mjs";

const tests = "apps/server/src/relay/translate/tests/provider-matrix.test.ts";

await runMain(async () => {
  const node = await prepare({ withConsole: false });
  const words = ["--test", "--test-update-snapshots", "--test-reporter=dot", tests];
  process.exitCode = spawnSync(node, words, { cwd: repositoryRoot, stdio: "inherit" }).status ?? 1;
});
