// npm start: installs what is missing, builds the console when it is stale, runs the server.
import { runMain } from "./lib/plain-error.mjs";
import { runForeground } from "./lib/run-foreground.mjs";
import { prepare } from "./prepare.mjs";

await runMain(async () => {
  const node = await prepare({ withConsole: true });
  runForeground(node, "apps/server/src/main.ts", process.argv.slice(2));
});
