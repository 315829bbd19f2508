import { writeFileSync } from "node:fs";

// The log store's process, which writes its id to a file for tests that kill it.
writeFileSync(process.env["LOG_STORE_PID_FILE"] ?? "", String(process.pid));
await import("../child/main.ts");
