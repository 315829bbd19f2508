import { BlockList, isIP, isIPv6 } from "node:net";
import { channelTypeInfo } from "@one-api/contract/channel-types";
import { AppError } from "../../core/app-error.ts";

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

/** Checks where a channel of the type sends its requests. Loopback and private addresses are fine. Throws `invalid-input` with the fix. */
export function checkBaseUrl(type: number, baseUrl: string): void {
  if (baseUrl === "") {
    if (needsBaseUrl(type))
      throw wrong(`Fill in base_url: channels of type ${typeName(type)} have no address of their own.`);
    return;
  }
  const url = new URL(baseUrl);
  if (url.username !== "" || url.password !== "") {
    throw wrong("base_url must not carry a user name or password. Put the secret into the key.");
  }
  if (/[?#]/.test(baseUrl)) throw wrong("base_url must end before ? and #: the gateway appends the path of each call.");
  if (isMetadataHost(url.hostname)) {
    throw wrong(
      "base_url must not lead to a link-local or cloud metadata address. Use the address of a model provider.",
    );
  }
}

/** Where a channel's requests go in the end: the type's own address unless the channel names another. */
export function effectiveAddress(type: number, baseUrl: string): string {
  return baseUrl === "" ? (channelTypeInfo(type)?.baseUrl ?? "") : baseUrl;
}

/** Types whose channels bring the address with them: Azure's endpoint, custom ones and the proxy. */
function needsBaseUrl(type: number): boolean {
  return type === 3 || type === 8 || type === 43;
}

/** True for hosts that no channel may be pointed at. The host comes from a parsed URL, so odd spellings of addresses are plain already. */
function isMetadataHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "")
    .toLowerCase();
  if (isIP(host) !== 0) return metadataAddresses.check(host, isIPv6(host) ? "ipv6" : "ipv4");
  return METADATA_HOSTS.has(host);
}

function typeName(type: number): string {
  return `${type} (${channelTypeInfo(type)?.label ?? "unknown"})`;
}

function wrong(message: string): AppError {
  return new AppError("invalid-input", message, { field: "base_url" });
}
