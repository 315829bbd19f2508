import { useServerAddress } from "../../lib/state/stored-status.ts";

/** Returns what makes the link of a code. */
export function useInvitationLink(): (code: string) => string {
  const server = useServerAddress();
  return (code) => `${server}/register?invitation=${encodeURIComponent(code)}`;
}
