import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { setImmediate } from "node:timers/promises";
import { channelTypeInfo, type ChannelTypeName } from "@one-api/contract/channels/channel-types";
import type { RequestRecord } from "@one-api/providers/stub-kit/request-record";
import { Exchange } from "./exchange.ts";
import { type BehaviourChoice, defaultSettings, type StubServerOptions } from "./stub-server-options.ts";
import { handleRequest, type RequestContext } from "./handle-request.ts";
import { isSession, serveSessions } from "./serve-sessions.ts";
import { openRecord, type RecordTest, RequestLog } from "./request-log.ts";

export interface StubServer {
  /** `http://HOST:PORT`; each vendor is served below it. */
  readonly url: string;
  /** Address of a vendor's API, by the name or number of its channel type: `http://HOST:PORT/openai`. */
  at(vendor: ChannelTypeName | number): string;
  /** The latest requests, oldest first. */
  readonly requests: readonly RequestRecord[];
  readonly activeStreams: number;
  /** Changes the behaviour of later requests; a marker in a request takes precedence. */
  setBehaviour(behaviour: BehaviourChoice): void;
  clearRequests(): void;
  /** Returns the first complete request, past or future, that passes the test. Rejects after 5,000 ms. */
  waitForRequest(test?: RecordTest, timeoutMs?: number): Promise<RequestRecord>;
  /** Returns the first request, past or future, whose client disconnected before the end of the answer. Rejects after 5,000 ms. */
  waitForAbort(test?: RecordTest, timeoutMs?: number): Promise<RequestRecord>;
  close(): Promise<void>;
}

const defaultTimeoutMs = 5_000;
const any = (): boolean => true;

/** Starts a stub provider with the API of every channel type. Rejects when the port is in use. */
export async function startStubServer(options: StubServerOptions = {}): Promise<StubServer> {
  const {
    host = "127.0.0.1",
    port = 0,
    vendor: root = "",
    recordLimit = 1_000,
    behaviour: first,
    ...settings
  } = options;
  const log = new RequestLog(recordLimit);
  const streams = new Set<Exchange>();
  let behaviour = first ?? { kind: "normal" };
  const allSettings = { ...defaultSettings, ...settings };
  const behaviourFor = (record: RequestRecord) => (typeof behaviour === "function" ? behaviour(record) : behaviour);
  const server = createStubHttpServer(log, streams, {
    root,
    settings: allSettings,
    behaviourFor,
    onReceived: (record) => log.announce(record),
    onStream: (exchange) => streams.add(exchange),
  });
  server.on("connection", (socket) => {
    if (typeof behaviour === "function" || behaviour.kind !== "cut" || behaviour.at !== "accept") return;
    if (behaviour.reset === true) socket.resetAndDestroy();
    else socket.destroy();
  });
  const cutSessions = serveSessions(server, {
    root,
    settings: allSettings,
    behaviourFor,
    opened(record) {
      log.add(record);
      log.announce(record);
    },
    closed: (record) => log.announce(record),
  });
  server.listen(port, host);
  await once(server, "listening");
  const url = urlOf(server, host);
  return {
    url,
    at: (vendor) => `${url}/${typeof vendor === "number" ? (channelTypeInfo(vendor)?.name ?? "") : vendor}`,
    requests: log.records,
    get activeStreams() {
      return streams.size;
    },
    setBehaviour: (next) => {
      behaviour = next;
    },
    clearRequests: () => log.clear(),
    waitForRequest: (test = any, timeoutMs = defaultTimeoutMs) =>
      log.waitFor("matching request", (record) => record.receivedAtMs !== null && test(record), timeoutMs),
    waitForAbort: (test = any, timeoutMs = defaultTimeoutMs) =>
      log.waitFor("matching request aborted", (record) => record.abortedAtMs !== null && test(record), timeoutMs),
    close() {
      cutSessions();
      return closeServer(server, streams);
    },
  };
}

function createStubHttpServer(log: RequestLog, streams: Set<Exchange>, context: RequestContext): Server {
  let count = 0;
  const options = {
    keepAliveTimeout: 120_000,
    requestTimeout: 0,
    shouldUpgradeCallback: (request: IncomingMessage) => isSession(request, context.root),
  };
  const server = createServer(options, (request, response) => {
    count += 1;
    const record = openRecord(request, context.root);
    log.add(record);
    const exchange = new Exchange(response, record, `fake${context.settings.seed}n${count}`, (end) => {
      streams.delete(exchange);
      if (end === "answered") record.finishedAtMs = Date.now();
      // Connections that the server closes do not count as aborted by clients.
      if (end === "abandoned" && server.listening) record.abortedAtMs = Date.now();
      log.announce(record);
    });
    void handleRequest(request, exchange, context);
  });
  return server;
}

async function closeServer(server: Server, streams: ReadonlySet<Exchange>): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  // Answers receive the close of their sockets a few event-loop ticks later.
  while (streams.size > 0) await setImmediate();
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the stub server has no port");
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}
