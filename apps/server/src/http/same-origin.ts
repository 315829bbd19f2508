import type { FastifyRequest } from "fastify";
import { AppError } from "../core/app-error.ts";

const ALLOWED_FETCH_SITES: readonly string[] = ["same-origin", "none"];
/** Destination of a script's requests; images, frames and links have others. */
const DESTINATION_OF_SCRIPTS = "empty";

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/**
 * Refuses calls of other sites' pages, and navigations and images of own pages (Fetch Metadata, W3C; RFC 6454 for Origin). Other clients send no such
 * headers and pass. `serverAddress` is this server's public origin; empty for none.
 */
export function refuseForeignOrigin(request: FastifyRequest, serverAddress: string): void {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && !(typeof site === "string" && ALLOWED_FETCH_SITES.includes(site))) refuse();
  // An image in a page text must not be able to log the reader out by its address.
  const destination = request.headers["sec-fetch-dest"];
  if (site === "same-origin" && destination !== undefined && destination !== DESTINATION_OF_SCRIPTS) refuse();
  const { origin } = request.headers;
  if (origin === undefined) return;
  const host = hostOf(origin);
  const own = [hostOf(`${request.protocol}://${request.host}`), hostOf(serverAddress)];
  if (host === undefined || host === "" || !own.includes(host)) refuse();
}

function refuse(): never {
  throw new AppError("foreign-origin", "This call comes from another site. Make it from the console itself.");
}
