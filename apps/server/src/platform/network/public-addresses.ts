import dns from "node:dns";
import { isIP, isIPv4, type LookupFunction } from "node:net";
import { createAddressList } from "./address-list.ts";
import { isMetadataHost } from "./metadata-addresses.ts";

/**
 * Addresses that are not globally reachable. Source:
 * https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry
 */
const PRIVATE_NETWORKS = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
] as const;

const GLOBAL_NETWORK = "2000::/3";
const PRIVATE_WITHIN_GLOBAL = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"] as const;

const privateAddresses = createAddressList([...PRIVATE_NETWORKS, ...PRIVATE_WITHIN_GLOBAL]);
const globalIpv6 = createAddressList([GLOBAL_NETWORK]);

function isPublic(address: string): boolean {
  return (isIPv4(address) || globalIpv6.has(address)) && !privateAddresses.has(address);
}

export interface PublicAddresses {
  /** True for a public address, and for one in an allowed network. */
  readonly mayFetch: (address: string) => boolean;
  readonly lookUp: LookupFunction;
}

/** `allowed`: additional addresses and CIDR ranges. Metadata services are never allowed. */
export function createPublicAddresses(allowed: readonly string[]): PublicAddresses {
  const exempt = createAddressList(allowed);
  const mayFetch = (address: string) => {
    if (isIP(address) === 0 || isMetadataHost(address)) return false;
    return exempt.has(address) || isPublic(address);
  };
  return {
    mayFetch,
    lookUp(hostname, options, callback) {
      dns.lookup(hostname, options, (error, found, family) => {
        const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
        if (error !== null || addresses.every(mayFetch)) callback(error, found, family);
        else callback(new Error(`${hostname} does not lead to a public address.`), found, family);
      });
    },
  };
}
