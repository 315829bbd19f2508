import { BlockList, isIP } from "node:net";

/** True for a listening or requested host that only this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  if (host === "localhost") return true;
  const family = isIP(host);
  if (family === 0) return false;
  const loopback = new BlockList();
  loopback.addSubnet("127.0.0.0", 8, "ipv4");
  loopback.addAddress("::1", "ipv6");
  return loopback.check(host, family === 4 ? "ipv4" : "ipv6");
}
