import { useStoredStatus } from "../../lib/stored-status.ts";

/** Where callers send their requests: the address that administrators set, else this origin, with `/v1`. */
export function useApiAddress(): string {
  const { server_address: serverAddress } = useStoredStatus();
  return `${serverAddress || window.location.origin}/v1`;
}
