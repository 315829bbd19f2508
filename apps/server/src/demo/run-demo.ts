import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { buildApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { createLog } from "../platform/logging/create-log.ts";
import { listen, serverAddress } from "../listen.ts";
import { stopOnSignal } from "../stop-on-signal.ts";
import { wire } from "../wire.ts";
import { fillWithSamples } from "./fill-with-samples.ts";

// A gateway to try: stub providers and a database with samples. Both are deleted when it stops.
const UPSTREAMS = 3;

const dataDirectory = mkdtempSync(join(tmpdir(), "one-api-demo-"));
const config = { ...readConfig(), dataDirectory, databaseUrl: "", rootPassword: undefined, secretKey: undefined };
const log = createLog();
const upstreams = await Promise.all(
  Array.from({ length: UPSTREAMS }, () =>
    startStubServer({ behaviour: { kind: "normal", headersDelayMs: 150, chunkDelayMs: 25 } }),
  ),
);
const wired = await wire(config, log);
const app = buildApp(wired.deps);
await app.ready();
const lines = await fillWithSamples(
  app,
  wired,
  upstreams.map(({ url }) => url),
);
stopOnSignal(
  app,
  {
    relay: wired.relay,
    async close() {
      await wired.close();
      await Promise.all(upstreams.map((upstream) => upstream.close()));
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  },
  { ...config, log },
);
await listen(app, config);
for (const line of [`One API's demo is ready at ${serverAddress(app)}`, ...lines]) process.stdout.write(`${line}\n`);
