import type { FastifyInstance } from "fastify";
import type { Config } from "./config.ts";
import { StartError } from "./start-error.ts";

/** What to tell the operator for the reasons for which listening usually fails. */
const REASONS: ReadonlyMap<unknown, (config: Config) => string> = new Map<unknown, (config: Config) => string>([
  [
    "EADDRINUSE",
    ({ port, host }) => `PORT ${port} on ${host} is in use by another program. Stop it, or set PORT to a free port.`,
  ],
  ["EACCES", ({ port }) => `PORT ${port} may not be used by this user. Set PORT to a port from 1024 on.`],
  [
    "EADDRNOTAVAIL",
    ({ host }) => `HOST ${host} is not an address of this machine. Set HOST to one of its own, or to 0.0.0.0 for all.`,
  ],
  ["ENOTFOUND", ({ host }) => `HOST ${host} is not a known name. Set HOST to an address of this machine.`],
]);

/** Begins to listen. Throws StartError naming the variable to change where there is one. */
export async function listen(app: FastifyInstance, config: Config): Promise<void> {
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? REASONS.get(error.code) : undefined;
    throw reason === undefined ? error : new StartError(reason(config));
  }
}
