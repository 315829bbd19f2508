import { BlockList, isIP, isIPv6 } from "node:net";

/** Link-local addresses, and the fixed ones beside them (Alibaba, Azure, Oracle), where clouds hand out their machines' credentials. */
const metadataAddresses = new BlockList();
metadataAddresses.addSubnet("169.254.0.0", 16, "ipv4");
metadataAddresses.addAddress("100.100.100.200", "ipv4");
metadataAddresses.addAddress("168.63.129.16", "ipv4");
metadataAddresses.addAddress("192.0.0.192", "ipv4");
metadataAddresses.addSubnet("fe80::", 10, "ipv6");
metadataAddresses.addAddress("fd00:ec2::254", "ipv6");
metadataAddresses.addAddress("fd20:ce::254", "ipv6");
// 169.254.0.0/16 inside IPv6: IPv4-mapped, IPv4-compatible, NAT64 (RFC 6052) and 6to4 (RFC 3056).
metadataAddresses.addSubnet("::ffff:a9fe:0", 112, "ipv6");
metadataAddresses.addSubnet("::a9fe:0", 112, "ipv6");
metadataAddresses.addSubnet("64:ff9b::a9fe:0", 112, "ipv6");
metadataAddresses.addSubnet("2002:a9fe::", 32, "ipv6");

/** Names under which clouds publish the same services. */
const METADATA_HOSTS: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.tencentyun.com",
]);

/** True for hosts that nothing may be pointed at. The host comes from a parsed URL, so odd spellings of addresses are plain already. */
export function isMetadataHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "")
    .toLowerCase();
  if (isIP(host) !== 0) return isMetadataAddress(host);
  return METADATA_HOSTS.has(host);
}

/** True for an IP address that nothing here may call, whoever names it. False for what is no address. */
export function isMetadataAddress(address: string): boolean {
  return isIP(address) !== 0 && metadataAddresses.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
