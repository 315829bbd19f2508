import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { type Config, StartError } from "./config.ts";
import { isLoopbackHost } from "./platform/network/loopback-host.ts";

type Address = Pick<Config, "port" | "host">;

const REASONS: ReadonlyMap<unknown, (address: Address) => string> = new Map<unknown, (address: Address) => string>([
  [
    "EADDRINUSE",
    ({ port, host }) => `PORT ${port} on ${host} is in use by another program. Stop it, or set PORT to a free port.`,
  ],
  ["EACCES", ({ port }) => `PORT ${port} may not be used by this user. Set PORT to a port from 1024 on.`],
  [
    "EADDRNOTAVAIL",
    ({ host }) => `HOST ${host} is not an address of this machine. Set HOST to one of its own, or to 0.0.0.0 for all.`,
  ],
  ["ENOTSUP", () => "WORKERS must be 1 on this system: it does not let several processes listen on one port."],
  ["ENOTFOUND", ({ host }) => `HOST ${host} is not a known name. Set HOST to an address of this machine.`],
]);

/** Throws StartError with the variable to change, if there is one. `sharesPort`: other processes of this server listen on the same port. */
export async function listen(app: FastifyInstance, config: Config, { sharesPort = false } = {}): Promise<void> {
  await listenAt(app, config, { prefix: "", sharesPort });
}

export async function listenForMetrics(app: FastifyInstance, address: Address): Promise<void> {
  await listenAt(app, address, { prefix: "METRICS_", sharesPort: false });
}

async function listenAt(
  app: FastifyInstance,
  { port, host }: Address,
  { prefix, sharesPort }: { readonly prefix: string; readonly sharesPort: boolean },
): Promise<void> {
  const options = { port, host, reusePort: sharesPort };
  try {
    await app.listen(options);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? REASONS.get(error.code) : undefined;
    throw reason === undefined ? error : new StartError(reason({ port, host }).replaceAll(/\b(?=PORT|HOST)/g, prefix));
  }
}

const EVERY_ADDRESS: readonly string[] = ["0.0.0.0", "::"];

/** Address of the listening server for a browser on this machine. */
export function serverAddress(app: FastifyInstance): string {
  const bound = boundAddress(app);
  return `http://${hostName(bound.address)}:${bound.port}`;
}

/** Throws an Error if the server does not listen. */
export function boundAddress(app: FastifyInstance): AddressInfo {
  const bound = app.server.address();
  if (bound === null || typeof bound === "string") throw new Error("The server does not listen.");
  return bound;
}

function hostName(address: string): string {
  if (EVERY_ADDRESS.includes(address) || isLoopbackHost(address)) return "localhost";
  return address.includes(":") ? `[${address}]` : address;
}
