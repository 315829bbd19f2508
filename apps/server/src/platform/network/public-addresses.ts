import dns from "node:dns";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";
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

/** The range of global IPv6 addresses. IPv4 addresses in IPv6 are outside. */
const GLOBAL_NETWORK = "2000::/3";
const PRIVATE_WITHIN_GLOBAL = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"] as const;

type Family = "ipv4" | "ipv6";

/** One list for each family: a mixed BlockList matches IPv4 addresses with IPv4-mapped IPv6 addresses. */
function listOf(networks: readonly string[], family: Family): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    if (familyOf(address) !== family) continue;
    list.addSubnet(address, prefix === undefined ? (family === "ipv6" ? 128 : 32) : Number(prefix), family);
  }
  return list;
}

function familyOf(address: string): Family {
  return isIPv6(address) ? "ipv6" : "ipv4";
}

const privateIpv4 = listOf(PRIVATE_NETWORKS, "ipv4");
const globalIpv6 = listOf([GLOBAL_NETWORK], "ipv6");
const privateIpv6 = listOf(PRIVATE_WITHIN_GLOBAL, "ipv6");

function isPublic(address: string): boolean {
  if (familyOf(address) === "ipv4") return !privateIpv4.check(address);
  return globalIpv6.check(address, "ipv6") && !privateIpv6.check(address, "ipv6");
}

export interface PublicAddresses {
  /** True for a public address, and for one in an allowed network. */
  readonly mayFetch: (address: string) => boolean;
  readonly lookUp: LookupFunction;
}

/** `allowed`: additional addresses and CIDR ranges. Metadata services are never allowed. */
export function createPublicAddresses(allowed: readonly string[]): PublicAddresses {
  const exempt = { ipv4: listOf(allowed, "ipv4"), ipv6: listOf(allowed, "ipv6") };
  const mayFetch = (address: string) => {
    if (isIP(address) === 0 || isMetadataHost(address)) return false;
    const family = familyOf(address);
    return exempt[family].check(address, family) || isPublic(address);
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
