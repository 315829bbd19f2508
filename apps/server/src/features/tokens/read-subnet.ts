import { isIP } from "node:net";
import { joinList, splitList } from "@one-api/contract/fields";
import { AppError } from "../../core/app-error.ts";

const LONGEST_PREFIX: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Tidies a comma-separated list of CIDR ranges and bare addresses. Throws `token-subnet` naming the part that is neither. */
export function readSubnet(text: string): string {
  const networks = splitList(text);
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong !== undefined) {
    throw new AppError(
      "token-subnet",
      `subnet: "${wrong}" is not a network. Write ranges such as 192.0.2.0/24 or 2001:db8::/32, or single addresses, separated by commas.`,
      { field: "subnet", values: { part: wrong } },
    );
  }
  return joinList(networks);
}

function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  // A zone id names an interface of one machine, which no caller's address carries.
  const longest = address.includes("%") ? undefined : LONGEST_PREFIX[isIP(address)];
  if (longest === undefined || rest.length > 0) return false;
  return prefix === undefined || (/^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= longest);
}
