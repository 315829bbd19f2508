import { BlockList, isIP, isIPv6 } from "node:net";

export interface AddressList {
  /** False for a text that is no address. IPv4 written as IPv6 (`::ffff:192.0.2.1`) counts as IPv4. */
  readonly has: (address: string) => boolean;
}

/** A list of single addresses and CIDR ranges. */
export function createAddressList(networks: readonly string[]): AddressList {
  // One for each family: a mixed BlockList matches IPv4 addresses with IPv4-mapped IPv6 addresses.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = familyOf(address);
    lists[family].addSubnet(address, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return {
    has(address) {
      const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
      const family = familyOf(plain);
      return isIP(plain) !== 0 && lists[family].check(plain, family);
    },
  };
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}
