import dns from "node:dns";
import type { LookupFunction, OnReadOpts } from "node:net";
import { buildConnector } from "undici";
import { isMetadataAddress, isMetadataHost } from "./metadata-addresses.ts";

export class ForbiddenAddressError extends Error {
  override name = "ForbiddenAddressError";

  constructor(hostname: string) {
    super(`${hostname} leads to a link-local or cloud metadata address.`);
  }
}

interface ConnectorSettings {
  readonly allowH2?: boolean;
  readonly onread?: OnReadOpts;
}

/**
 * Connector for undici with a timeout for DNS, TCP and TLS. Each resolved address is checked, for every
 * connection, before anything is sent.
 * Fails with `ForbiddenAddressError`.
 */
export function checkedConnector(
  timeoutMs: number,
  { allowH2 = true, onread }: ConnectorSettings = {},
): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: lookUpChecked, allowH2, ...(onread && { onread }) });
  return (options, callback) => {
    // IP addresses are not resolved, so they are checked here.
    if (isMetadataHost(options.hostname)) callback(new ForbiddenAddressError(options.hostname), null);
    else connect(options, callback);
  };
}

/** A DNS lookup that fails for forbidden addresses. */
export const lookUpChecked: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, options, (error, found, family) => {
    const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
    // `found` is undefined if there is an error.
    if (error === null && addresses.some(isMetadataAddress))
      callback(new ForbiddenAddressError(hostname), found, family);
    else callback(error, found, family);
  });
};
