import { stripTrailingSlashes } from "@one-api/contract/fields";
import { useStoredStatus } from "../../../lib/stored-status.ts";

/** Returns the address that callers reach this gateway at: the one that is set, else that of this page. */
export function useServerAddress(): string {
  const { server_address: serverAddress } = useStoredStatus();
  return stripTrailingSlashes(serverAddress || window.location.origin);
}
