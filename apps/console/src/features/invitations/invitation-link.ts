import { useServerAddress } from "../../lib/state/stored-status.ts";

export function useInvitationLink(): (code: string) => string {
  const server = useServerAddress();
  return (code) => `${server}/register?invitation=${encodeURIComponent(code)}`;
}
