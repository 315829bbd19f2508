import dns from "node:dns";
import type { LookupFunction, OnReadOpts } from "node:net";
import { buildConnector } from "undici";
import { isMetadataAddress, isMetadataHost } from "./metadata-addresses.ts";

/** The name leads to an address that may not be called. */
export class ForbiddenAddressError extends Error {
  override name = "ForbiddenAddressError";

  constructor(hostname: string) {
    super(`${hostname} leads to a link-local or cloud metadata address.`);
  }
}

/** How connections are made. */
interface ConnectorSettings {
  /** Over TLS the server may choose HTTP/2. */
  readonly allowH2?: boolean;
  /** Takes what comes, in the place of the connection itself. */
  readonly onread?: OnReadOpts;
}

/**
 * Makes connections for undici, names, TCP and TLS within the time. What a name leads to is looked at where it is looked up, for every new
 * connection, so that no name can lead to a forbidden place and nothing is sent there. Refuses with `ForbiddenAddressError`.
 */
export function checkedConnector(
  timeoutMs: number,
  { allowH2 = true, onread }: ConnectorSettings = {},
): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: lookUpChecked, allowH2, ...(onread && { onread }) });
  return (options, callback) => {
    // Addresses are not looked up.
    if (isMetadataHost(options.hostname)) callback(new ForbiddenAddressError(options.hostname), null);
    else connect(options, callback);
  };
}

/** Looks names up for connections that are made by others; a forbidden address is an error. */
export const lookUpChecked: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, options, (error, found, family) => {
    const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
    // Without an error there is an address, with one there is none to look at.
    if (error === null && addresses.some(isMetadataAddress))
      callback(new ForbiddenAddressError(hostname), found, family);
    else callback(error, found, family);
  });
};
