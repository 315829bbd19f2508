import type { Socket } from "node:net";
import { afterEach, beforeEach } from "node:test";
import { Agent, buildConnector } from "undici";
import { Http1Client, type Http1ClientOptions } from "../client/http1-client.ts";
import { sharedRead } from "../client/read-options.ts";
import { type DispatchRecord, recordDispatch } from "./record-dispatch.ts";
import { type ByteServer, type ReceivedRequest, startByteServer } from "./start-byte-server.ts";

/** A whole response. */
export const HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
/** A response without its end. */
export const ENDLESS = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n";

/** Opens connections as the gateway does, without its check of addresses. */
export const connect = buildConnector({ timeout: 5_000, allowH2: false, onread: sharedRead });

/** Creates a client. Close it after the test. */
export function createTestClient(options: Partial<Http1ClientOptions> = {}): Http1Client {
  const scheduleRead = (read: () => void) => void setImmediate(read);
  return new Http1Client({ connect, fallback: new Agent(), isCurrent: () => true, scheduleRead, ...options });
}

type SendOptions = Parameters<typeof recordDispatch>[2];

/** A client and servers of the current test. */
export interface ClientSuite {
  readonly client: () => Http1Client;
  /** Connections that the client has opened. */
  readonly opened: readonly Socket[];
  /** Starts a request. */
  readonly send: (url: string, options?: SendOptions) => DispatchRecord;
  /** Sends a request and waits for its end. */
  readonly request: (server: ByteServer, options?: SendOptions) => Promise<DispatchRecord>;
  /** Starts a server that responds with `HELLO` by default. */
  readonly start: (
    respond?: (socket: Socket, request: ReceivedRequest) => void,
    connected?: (socket: Socket) => void,
  ) => Promise<ByteServer>;
}

/** Creates a client before each test of the calling suite, and closes it with all started servers afterwards. */
export function clientSuite(): ClientSuite {
  let client: Http1Client;
  const servers: ByteServer[] = [];
  const opened: Socket[] = [];
  beforeEach(() => {
    client = createTestClient({
      connect: (options, callback) => {
        connect(options, (...result) => {
          if (result[1] !== null) opened.push(result[1]);
          callback(...result);
        });
      },
    });
  });
  afterEach(async () => {
    opened.length = 0;
    await client.destroy();
    for (const server of servers.splice(0)) await server.close();
  });
  const send = (url: string, options: SendOptions = {}) => recordDispatch(client, url, options);
  return {
    client: () => client,
    opened,
    send,
    request: async ({ url }, options = {}) => {
      const record = send(url, options);
      await record.done;
      return record;
    },
    start: async (respond = (socket) => void socket.write(HELLO), connected) => {
      const server = await startByteServer(respond, connected);
      servers.push(server);
      return server;
    },
  };
}

/** The code of a request's error, or its name without a code; empty for a success. */
export function codeOf({ error }: DispatchRecord): string {
  if (error === undefined) return "";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
