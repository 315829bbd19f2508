import { isIPv6 } from "node:net";

/**
 * Network for the limits of logins and mails: /24 of IPv4, /56 of IPv6.
 * Providers assign a /56 or more (RIPE-690): with /64, a free /48 would count as 65,536 networks.
 */
export function networkOfAddress(address: string): string {
  if (!isIPv6(address)) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  const [first, second, third, fourth = "0"] = expandGroups(address);
  const upperHalf = Number.parseInt(fourth, 16) & 0xff00;
  return `${first}:${second}:${third}:${upperHalf.toString(16)}::/56`;
}

/**
 * Network for the limits of wrong API keys: the IPv4 address itself, as neighbours may be others, or the /64
 * of IPv6, a single link (RFC 4291, 2.5.4).
 */
export function guesserOfAddress(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
  return isIPv6(bare) ? `${expandGroups(bare).slice(0, 4).join(":")}::/64` : bare;
}

function expandGroups(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const groupsOf = (text: string) => (text === "" ? [] : text.split(":"));
  const [before, behind] = [groupsOf(head), groupsOf(tail ?? "")];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - behind.length) }, () => "0");
  return [...before, ...zeros, ...behind].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""));
}
