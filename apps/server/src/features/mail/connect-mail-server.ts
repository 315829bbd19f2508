import { connect, type Socket } from "node:net";
import { lookUpChecked } from "../../platform/network/checked-connector.ts";
import { isMetadataHost } from "../../platform/network/metadata-addresses.ts";

interface ConnectionLimits {
  readonly timeoutMs: number;
  /** Time for the whole exchange, as a server may send a byte at a time. */
  readonly lifetimeMs: number;
}

/**
 * Connects to the mail server, unless its name resolves to a link-local address. Rejects with an error that
 * names the server.
 */
export function connectMailServer(
  host: string,
  port: number,
  { timeoutMs, lifetimeMs }: ConnectionLimits,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (isMetadataHost(host)) throw new Error(`${host} is a link-local or cloud metadata address.`);
    const socket = connect({ host, port, lookup: lookUpChecked });
    const fail = (reason: string) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new Error(`no connection to ${host}:${port}: ${reason}`));
    };
    const timer = setTimeout(() => fail(`no answer within ${timeoutMs / 1000} s`), timeoutMs);
    socket.once("error", (error) => fail(error.message || ("code" in error ? String(error.code) : "refused")));
    socket.once("connect", () => {
      clearTimeout(timer);
      const end = setTimeout(() => socket.destroy(new Error(`no end within ${lifetimeMs / 1000} s`)), lifetimeMs);
      socket.once("close", () => clearTimeout(end));
      resolve(socket);
    });
  });
}
