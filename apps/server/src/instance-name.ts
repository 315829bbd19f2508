import { hostname } from "node:os";
import { type Config, readWorkerNumber } from "./config.ts";

/** Name of this process: INSTANCE_NAME, with the number of a worker, else host and process. */
export function nameInstance({ instanceName }: Pick<Config, "instanceName">): string {
  const worker = readWorkerNumber();
  if (instanceName === undefined) return `${hostname()}:${process.pid}`;
  return worker === undefined ? instanceName : `${instanceName}:${worker}`;
}
