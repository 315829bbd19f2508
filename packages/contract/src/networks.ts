import { regexes } from "zod/mini";

/** The first of these that is neither an address nor a CIDR range; undefined when all are. Loads no schema: the console's forms ask it, too. */
export function wrongNetwork(networks: readonly string[]): string | undefined {
  return networks.find((network) => !isNetwork(network));
}

/** IPv4 or IPv6, without the zone of one machine's interface. */
function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const longest = regexes.ipv4.test(address) ? 32 : isIpv6(address) ? 128 : -1;
  if (longest === -1 || rest.length > 0) return false;
  return prefix === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= longest);
}

/** As URLs have it, of which every form is known to browsers and to Node. */
function isIpv6(address: string): boolean {
  return /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]`);
}
