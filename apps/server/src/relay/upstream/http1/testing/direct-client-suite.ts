import type { Socket } from "node:net";
import { afterEach, beforeEach } from "node:test";
import { Agent } from "undici";
import { type DispatchRecord, recordDispatch } from "../../../../testing/record-dispatch.ts";
import {
  type ByteServer,
  type ReceivedRequest,
  startByteServer,
} from "../../../../testing/servers/start-byte-server.ts";
import { failureOfError } from "../../read-failure.ts";
import { DirectClient } from "../direct-client.ts";
import { directConnector } from "../direct-connector.ts";

/** A whole answer. */
export const HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
/** The beginning of one. */
export const ENDLESS = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n";

type SendOptions = Parameters<typeof recordDispatch>[2];

/** A client for each test of the suite that calls this, and the servers that it starts; both end with the test. */
export function directClientSuite() {
  let client: DirectClient;
  const servers: ByteServer[] = [];
  beforeEach(() => {
    client = new DirectClient(directConnector(5_000), new Agent());
  });
  afterEach(async () => {
    await client.destroy();
    for (const server of servers.splice(0)) await server.close();
  });
  const send = (url: string, options: SendOptions = {}) => recordDispatch(client, url, options);
  return {
    client: () => client,
    /** Begins a request. */
    send,
    /** Sends a request and waits for its end. */
    ask: async ({ url }: ByteServer, options: SendOptions = {}): Promise<DispatchRecord> => {
      const record = send(url, options);
      await record.done;
      return record;
    },
    /** Starts a server that answers with `HELLO` unless told otherwise; `connected` hears of connections, before a request. */
    start: async (
      answer: (socket: Socket, request: ReceivedRequest) => void = (socket) => void socket.write(HELLO),
      connected?: (socket: Socket) => void,
    ): Promise<ByteServer> => {
      const server = await startByteServer(answer, connected);
      servers.push(server);
      return server;
    },
  };
}

/** What the relay makes of how a request ended; empty where it did well. */
export function kindOf({ error, status }: DispatchRecord): string {
  return error === undefined ? "" : failureOfError(error, status !== 0).kind;
}
