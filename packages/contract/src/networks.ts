import { regexes } from "zod/mini";

/**
 * Returns the first text that is neither an address nor a CIDR range; undefined if all are. Loads no schema, for the
 * console's forms.
 */
export function wrongNetwork(networks: readonly string[]): string | undefined {
  return networks.find((network) => !isNetwork(network));
}

/** IPv4 or IPv6, without a zone. */
function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const longest = regexes.ipv4.test(address) ? 32 : isIpv6(address) ? 128 : -1;
  if (longest === -1 || rest.length > 0) return false;
  return prefix === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= longest);
}

/** Uses the URL parser, which knows every form in browsers and Node. */
function isIpv6(address: string): boolean {
  return /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]`);
}
