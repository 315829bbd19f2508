// npm run demo: the server with stub upstreams and a database full of samples.
import { runMain } from "./lib/plain-error.mjs";
import { runForeground } from "./lib/run-foreground.mjs";
import { prepare } from "./prepare.mjs";

await runMain(async () => {
  const node = await prepare({ withConsole: true });
  runForeground(node, "apps/server/src/demo/run-demo.ts", process.argv.slice(2));
});
