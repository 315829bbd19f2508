import { Agent, buildConnector, type Dispatcher } from "undici";
import { isMetadataAddress } from "../../core/metadata-addresses.ts";

/** Longest wait for a connection, DNS and TLS included, in ms. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Idle connections are kept this long, in ms. */
const KEEP_ALIVE_MS = 60_000;

/** The address that a name led to may not be called. */
export class ForbiddenAddressError extends Error {
  override name = "ForbiddenAddressError";
}

/**
 * Builds the one HTTP client for providers: kept-alive connections, and a look at the address of every new connection before anything is
 * sent, so that no name can lead to a forbidden place.
 */
export function createUpstreamClient(): Dispatcher {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  return new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: (options, callback) => {
      connect(options, (error, socket) => {
        if (error !== null) return callback(error, null);
        if (!isMetadataAddress(socket.remoteAddress ?? "")) return callback(null, socket);
        socket.destroy();
        callback(new ForbiddenAddressError("The address of this channel leads to a link-local address."), null);
      });
    },
  });
}
