import { BlockList, isIP, isIPv6 } from "node:net";

/** Link-local addresses and fixed ones of Alibaba, Azure and Oracle, where clouds serve their machines' credentials. */
const IPV4_NETWORKS = [
  ["169.254.0.0", 16],
  ["100.100.100.200", 32],
  ["168.63.129.16", 32],
  ["192.0.0.192", 32],
] as const;
/** Link-local addresses, and those of AWS (machines, then pods of EKS), Google and Scaleway. */
const IPV6_NETWORKS = [
  ["fe80::", 10],
  ["fd00:ec2::254", 128],
  ["fd00:ec2::23", 128],
  ["fd20:ce::254", 128],
  ["fd00:42::42", 128],
] as const;
/**
 * Prefixes of IPv4 addresses in IPv6: IPv4-compatible and -translated (RFC 2765), NAT64 (RFC 6052). Node
 * handles IPv4-mapped ones.
 */
const BEFORE_IPV4 = ["::", "::ffff:0:", "64:ff9b::"] as const;
const BITS_BEFORE_IPV4 = 96;
/** In 6to4 (RFC 3056) the address follows `2002:`. */
const BITS_BEFORE_6TO4 = 16;

const metadataAddresses = new BlockList();
for (const [address, bits] of IPV6_NETWORKS) metadataAddresses.addSubnet(address, bits, "ipv6");
for (const [address, bits] of IPV4_NETWORKS) {
  metadataAddresses.addSubnet(address, bits, "ipv4");
  for (const before of BEFORE_IPV4) metadataAddresses.addSubnet(before + address, BITS_BEFORE_IPV4 + bits, "ipv6");
  const [first, second] = address.split(/(?<=^\d+\.\d+)\./).map(toGroup);
  metadataAddresses.addSubnet(`2002:${first}:${second}::`, BITS_BEFORE_6TO4 + bits, "ipv6");
}

function toGroup(half: string): string {
  return half
    .split(".")
    .map((number) => Number(number).toString(16).padStart(2, "0"))
    .join("");
}

const METADATA_HOSTS: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.tencentyun.com",
]);

/** True for hosts that must never be called. The host comes from a parsed URL, which normalizes unusual notations. */
export function isMetadataHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "")
    .toLowerCase();
  if (isIP(host) !== 0) return isMetadataAddress(host);
  return METADATA_HOSTS.has(host);
}

/** True for addresses that must never be called. False for a text that is not an address. */
export function isMetadataAddress(address: string): boolean {
  return isIP(address) !== 0 && metadataAddresses.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
