import type { FastifyRequest } from "fastify";
import { AppError } from "../core/app-error.ts";

const ALLOWED_FETCH_SITES: readonly string[] = ["same-origin", "none"];
/** What a script asks for; images, frames and links that a page only shows ask for something else. */
const DESTINATION_OF_SCRIPTS = "empty";

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/**
 * Refuses a call that a browser makes on behalf of another site, or that a page makes by what it shows (Fetch Metadata, W3C; RFC 6454
 * for Origin). Clients that are no browser send none of these headers and pass. `serverAddress` is the origin that the operator says this server has; empty for none.
 */
export function refuseForeignOrigin(request: FastifyRequest, serverAddress: string): void {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && !(typeof site === "string" && ALLOWED_FETCH_SITES.includes(site))) refuse();
  // What an administrator writes into a page may show an image: its address must not be able to log the reader out.
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
