import { isIPv6 } from "node:net";

/**
 * The network that failed logins, mails and the like are counted by: /24 of an IPv4 address, /56 of an IPv6 one. Providers give a customer a /56
 * or more (RIPE-690): counted by /64, one with a /48, as tunnels are given out for nothing, would be 65,536 networks.
 */
export function networkOfAddress(address: string): string {
  if (!isIPv6(address)) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  const [first, second, third, fourth = "0"] = expandGroups(address);
  const upperHalf = Number.parseInt(fourth, 16) & 0xff00;
  return `${first}:${second}:${third}:${upperHalf.toString(16)}::/56`;
}

/**
 * Returns the network that wrong API keys are counted by: an IPv4 address itself, since its neighbours may belong to others, and the /64 of an
 * IPv6 address, since that is a single link (RFC 4291, 2.5.4).
 */
export function guesserOfAddress(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
  return isIPv6(bare) ? `${expandGroups(bare).slice(0, 4).join(":")}::/64` : bare;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function expandGroups(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const groupsOf = (text: string) => (text === "" ? [] : text.split(":"));
  const [before, behind] = [groupsOf(head), groupsOf(tail ?? "")];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - behind.length) }, () => "0");
  return [...before, ...zeros, ...behind].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""));
}
