import { fileURLToPath } from "node:url";
import { startLogStore } from "../start-log-store.ts";
import { TEST_SETTINGS } from "./local-log-store.ts";

// A server with a log store, for the test that kills it: node parent-of-log-store.ts <file> <data directory>.
const [file = "", dataDirectory = ""] = process.argv.slice(2);
const store = startLogStore({
  start: { file, location: { databaseUrl: "", dataDirectory }, settings: TEST_SETTINGS },
  log: console,
  child: fileURLToPath(new URL("child-with-pid.ts", import.meta.url)),
});
const { answer } = await store.ask({ kind: "old-entries", before: Number.MAX_SAFE_INTEGER });
process.stdout.write(`${answer.entries}\n`);
setInterval(() => undefined, 60_000);
