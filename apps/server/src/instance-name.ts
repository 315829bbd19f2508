import { hostname } from "node:os";
import { type Config, readWorkerNumber } from "./config.ts";

export function nameInstance({ instanceName }: Pick<Config, "instanceName">): string {
  const worker = readWorkerNumber();
  if (instanceName === undefined) return `${hostname()}:${process.pid}`;
  return worker === undefined ? instanceName : `${instanceName}:${worker}`;
}
