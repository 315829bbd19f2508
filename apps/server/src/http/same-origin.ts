import type { FastifyRequest } from "fastify";
import { AppError } from "../core/app-error.ts";

const ALLOWED_FETCH_SITES: readonly string[] = ["same-origin", "none"];

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/**
 * Refuses a call that a browser makes on behalf of another site (Fetch Metadata, W3C; RFC 6454 for Origin). Clients that are no
 * browser send neither header and pass. `serverAddress` is the origin that the operator says this server has; empty for none.
 */
export function refuseForeignOrigin(request: FastifyRequest, serverAddress: string): void {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && !(typeof site === "string" && ALLOWED_FETCH_SITES.includes(site))) refuse();
  const { origin } = request.headers;
  if (origin === undefined) return;
  const host = hostOf(origin);
  const own = [hostOf(`${request.protocol}://${request.host}`), hostOf(serverAddress)];
  if (host === undefined || host === "" || !own.includes(host)) refuse();
}

function refuse(): never {
  throw new AppError("foreign-origin", "This call comes from another site. Make it from the console itself.");
}
