import { openSqlite } from "../dialects/sqlite.ts";

/** A second process for tests: opens the SQLite file in the folder named as its argument, says `open`, and keeps it until it is killed. */
await openSqlite(process.argv[2] ?? "");
console.log("open");
setInterval(() => undefined, 60_000);
