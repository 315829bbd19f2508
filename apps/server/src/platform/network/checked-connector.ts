import dns from "node:dns";
import type { LookupFunction, OnReadOpts } from "node:net";
import { buildConnector } from "undici";
import { HostAddresses } from "./host-addresses.ts";
import { checkAndNoteCertificate } from "./seen-certificates.ts";
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
  const checks = { lookup: lookUpChecked, checkServerIdentity: checkAndNoteCertificate };
  const connect = buildConnector({ timeout: timeoutMs, ...checks, allowH2, ...(onread && { onread }) });
  return (options, callback) => {
    // IP addresses are not resolved, so they are checked here.
    if (isMetadataHost(options.hostname)) callback(new ForbiddenAddressError(options.hostname), null);
    else connect(options, callback);
  };
}

/** Without retries: only a TTL is asked for. */
const TTL_RESOLVER = { timeout: 2_000, tries: 1 } as const;

/** Addresses of the hosts that this server connects to. */
export const hostAddresses = new HostAddresses(
  {
    addresses: (hostname) =>
      new Promise((resolve, reject) => {
        dns.lookup(hostname, { all: true }, (error, found) => (error === null ? resolve(found) : reject(error)));
      }),
    ttlSeconds: readTtl,
  },
  () => performance.now(),
);

async function readTtl(hostname: string): Promise<number | undefined> {
  const resolver = new dns.promises.Resolver(TTL_RESOLVER);
  const records = await Promise.all([
    resolver.resolve4(hostname, { ttl: true }).catch(() => []),
    resolver.resolve6(hostname, { ttl: true }).catch(() => []),
  ]);
  const ttls = records.flat().map(({ ttl }) => ttl);
  return ttls.length === 0 ? undefined : Math.min(...ttls);
}

/** A DNS lookup with `hostAddresses` that fails for forbidden addresses. */
export const lookUpChecked: LookupFunction = (hostname, { family, all }, callback) => {
  hostAddresses.find(hostname).then(
    (addresses) => {
      if (addresses.some(({ address }) => isMetadataAddress(address)))
        return callback(new ForbiddenAddressError(hostname), []);
      const wanted = addresses.filter((found) => (family !== 4 && family !== 6) || found.family === family);
      const [first] = wanted;
      if (first === undefined)
        callback(Object.assign(new Error(`${hostname} has no such address`), { code: "ENOTFOUND" }), []);
      else if (all === true) callback(null, wanted);
      else callback(null, first.address, first.family);
    },
    (error: NodeJS.ErrnoException) => callback(error, []),
  );
};
