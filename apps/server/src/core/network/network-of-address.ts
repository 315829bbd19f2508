import { isIPv6 } from "node:net";

/** The network that failed logins are counted by: /24 of an IPv4 address, /64 of an IPv6 one; a /64 is what one customer gets. */
export function networkOfAddress(address: string): string {
  if (!isIPv6(address)) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  return `${expandGroups(address).slice(0, 4).join(":")}::/64`;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function expandGroups(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const groupsOf = (text: string) => (text === "" ? [] : text.split(":"));
  const [before, behind] = [groupsOf(head), groupsOf(tail ?? "")];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - behind.length) }, () => "0");
  return [...before, ...zeros, ...behind].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""));
}
