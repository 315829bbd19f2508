import { BlockList, isIP, isIPv6, type Socket } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";

/** Longest wait for a connection, DNS and TLS included, in ms. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Idle connections are kept this long, in ms. */
const KEEP_ALIVE_MS = 60_000;

/** Addresses that no request of the gateway may reach: link-local, where clouds serve their machines' credentials. */
const forbidden = new BlockList();
forbidden.addSubnet("169.254.0.0", 16, "ipv4");
forbidden.addSubnet("fe80::", 10, "ipv6");
forbidden.addAddress("fd00:ec2::254", "ipv6");

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
        if (!isForbidden(socket)) return callback(null, socket);
        socket.destroy();
        callback(new ForbiddenAddressError("The address of this channel leads to a link-local address."), null);
      });
    },
  });
}

function isForbidden(socket: Socket): boolean {
  const address = (socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
  return isIP(address) !== 0 && forbidden.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
