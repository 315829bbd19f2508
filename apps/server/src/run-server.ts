import type { Logger } from "pino";
import { buildApp } from "./app.ts";
import { type Config, readWorkerNumber } from "./config.ts";
import { boundAddress, listen, serverAddress } from "./listen.ts";
import { serveMetrics } from "./monitoring/serve-metrics.ts";
import { openLogStore } from "./open-log-store.ts";
import { stopOnSignal } from "./stop-on-signal.ts";
import { type Wired, wire } from "./wire.ts";
import { announceListening, joinWorkersLogStore } from "./workers/worker.ts";

/** Starts the server and prints its address. Rejects with errors for the operator: StartError, DatabaseStartError. */
export async function runServer(config: Config, log: Logger): Promise<void> {
  const worker = readWorkerNumber();
  const logStore = worker === undefined ? openLogStore(config, log) : joinWorkersLogStore();
  // One of several workers compares the balances.
  const isFirst = worker === undefined || worker === 1;
  const wired = await wire(isFirst ? config : { ...config, balanceCheckHours: 0 }, log, logStore);
  const app = buildApp(wired.deps);
  const stop = stopOnSignal(app, wired, { ...config, log });
  try {
    await listen(app, config, { sharesPort: worker !== undefined });
    await serveMetrics(wired, config, worker);
  } catch (error) {
    await stop();
    throw error;
  }
  if (worker !== undefined) announceListening(boundAddress(app).port);
  // The first of several workers speaks for all.
  if (!isFirst) return;
  print(`One API is ready at ${serverAddress(app)}`);
  announceLogin(wired);
}

function announceLogin({ firstLogin, hasDefaultPassword }: Wired): void {
  if (firstLogin?.password !== undefined) print(`First login: ${firstLogin.username} / ${firstLogin.password}`);
  if (hasDefaultPassword) process.stderr.write("Warning: root still has the default password. Log in and change it.\n");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
