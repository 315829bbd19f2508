import type { FastifyInstance } from "fastify";
import { isLoopbackHost } from "./config.ts";

const EVERY_ADDRESS: readonly string[] = ["0.0.0.0", "::"];

/** The address under which a browser on this machine finds the listening server. */
export function serverAddress(app: FastifyInstance): string {
  const bound = app.server.address();
  if (bound === null || typeof bound === "string") throw new Error("The server does not listen.");
  return `http://${hostName(bound.address)}:${bound.port}`;
}

function hostName(address: string): string {
  if (EVERY_ADDRESS.includes(address) || isLoopbackHost(address)) return "localhost";
  return address.includes(":") ? `[${address}]` : address;
}
