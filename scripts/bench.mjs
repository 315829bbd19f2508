// npm run bench: this gateway beside a bare proxy, same load, same upstream.
import { runMain } from "./lib/plain-error.mjs";
import { runForeground } from "./lib/run-foreground.mjs";
import { prepare } from "./prepare.mjs";

await runMain(async () => {
  const node = await prepare({ withConsole: false });
  runForeground(node, "bench/src/main.ts", process.argv.slice(2));
});
