import { buildApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { createLog } from "../platform/logging/create-log.ts";
import { wire } from "../wire.ts";
import { fillWithSamples } from "./fill-with-samples.ts";

// Fills the database of the environment with samples. Their channels use the stub provider of `npm run dev`.
const DEV_UPSTREAM = "http://127.0.0.1:8400";

const wired = await wire(readConfig(), createLog());
const app = buildApp(wired.deps);
await app.ready();
await fillWithSamples(app, wired, [DEV_UPSTREAM]);
await app.close();
await wired.close();
