import { joinList, splitList } from "@one-api/contract/texts";
import { wrongNetwork } from "@one-api/contract/networks";
import { AppError } from "../../core/app-error.ts";

/** Normalizes a comma-separated list of CIDR ranges and addresses. Throws `token-subnet` with the invalid part. */
export function readSubnet(text: string): string {
  const networks = splitList(text);
  const wrong = wrongNetwork(networks);
  if (wrong !== undefined) {
    throw new AppError(
      "token-subnet",
      `subnet: "${wrong}" is not a network. Write ranges such as 192.0.2.0/24 or 2001:db8::/32, or single addresses, separated by commas.`,
      { field: "subnet", values: { part: wrong } },
    );
  }
  return joinList(networks);
}
