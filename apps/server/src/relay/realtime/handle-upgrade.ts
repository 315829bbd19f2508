import { UNKNOWN_FACTS, writeFacts } from "@one-api/contract/logs/alias-facts";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { nowSeconds } from "../../platform/clock.ts";
import { createRequestId } from "../../platform/requests/request-id.ts";
import {
  type Caller,
  aliasOf,
  checkModel,
  modelsFor,
  explainError,
  type IdentifiedCall,
  identifyCaller,
  type PresentedKey,
  readPinnedChannel,
  readPresentedKey,
} from "../callers/index.ts";
import type { RoutePlan } from "../routing/index.ts";
import { readHops } from "../upstream/index.ts";
import { endOfError, type Outcome, type ReservedRequest, settle } from "../charging/index.ts";
import { RelayError } from "../errors/index.ts";
import type { Arrival } from "../telemetry/index.ts";
import { awaitFirstMessage, NoFirstMessage } from "./first-message.ts";
import type { Message, SessionEnd } from "./message-pipe.ts";
import { openSession } from "./open-session.ts";
import { HANDSHAKE_TIMEOUT_MS } from "./open-upstream.ts";
import { RealtimeSession } from "./realtime-session.ts";
import { closeAlone, closeFrame } from "./session-close.ts";
import { draining, notSetUp, unjudged } from "./session-errors.ts";
import { SessionReservations } from "./session-reservations.ts";
import { refusalOfHeaders, type SessionApi, sessionApiAt, type SetupRequest, SUBPROTOCOL } from "./session-request.ts";
import { responseHeaders } from "../dialects/index.ts";
import type { SessionServices } from "./session-services.ts";

/** Longest message of a caller: 15 MiB of sound, as the API accepts, in base64. */
const MAX_MESSAGE_BYTES = 21 * 1024 * 1024;

export type HandleUpgrade = (request: IncomingMessage, connection: Duplex, head: Buffer) => void;

const MAX_SETUP_BYTES = 1024 * 1024;

/**
 * OpenAI's Realtime API, and Google's Live API, whose first message sets the session up.
 * Sources: https://platform.openai.com/docs/guides/realtime-websocket, https://ai.google.dev/api/live
 */
export function createUpgradeHandler(services: SessionServices): HandleUpgrade {
  const headersOf = new WeakMap<IncomingMessage, Record<string, string>>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    // Never the subprotocol that contains a key.
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  server.on("headers", (lines, request) => {
    for (const [name, value] of Object.entries(headersOf.get(request) ?? {})) lines.push(`${name}: ${value}`);
  });
  return (request, connection, head) => {
    const api = sessionApiAt(request.url);
    if (!(connection instanceof Socket) || api === undefined) return void connection.destroy();
    const accept: Accept = (headers) => {
      headersOf.set(request, headers);
      let end: SessionEnd | undefined;
      server.handleUpgrade(request, connection, head, (socket) => (end = { socket, connection }));
      return end;
    };
    void new SessionCall({ services, api, request, connection, accept }).open();
  };
}

type Accept = (headers: Record<string, string>) => SessionEnd | undefined;

interface SessionCallContext {
  readonly services: SessionServices;
  readonly api: SessionApi;
  readonly request: IncomingMessage;
  readonly connection: Socket;
  readonly accept: Accept;
}

interface SessionSetup extends Partial<Omit<SetupRequest, "parsed">> {
  readonly parsed: SetupRequest["parsed"];
  readonly rest: () => readonly Message[];
}

class SessionCall {
  readonly #services: SessionServices;
  readonly #context: SessionCallContext;
  readonly #requestId = createRequestId();
  readonly #startedMs: number;
  readonly #gone = new AbortController();
  #hops = 0;
  #call: IdentifiedCall | undefined;
  /** Set once the failed session has its log entry. */
  #settled: ReservedRequest | undefined;
  /** Set if the caller's side is open before the provider's. */
  #caller: SessionEnd | undefined;

  constructor(context: SessionCallContext) {
    this.#context = context;
    this.#services = context.services;
    this.#startedMs = context.services.clock.monotonicMs();
  }

  get #arrival(): Arrival {
    const { request, api } = this.#context;
    return { requestId: this.#requestId, headers: request.headers, dialect: api.dialect };
  }

  async open(): Promise<void> {
    const { connection } = this.#context;
    const gone = (): void => this.#gone.abort(new Error("The caller has left."));
    const ignore = (): undefined => undefined;
    connection.once("close", gone).on("error", ignore);
    try {
      await this.#open();
    } catch (error) {
      const { dialect } = this.#context.api;
      this.#refuse(explainError(this.#services, error, { ...this.#arrival, dialect }, this.#call, this.#settled));
    } finally {
      connection.off("close", gone);
    }
  }

  async #open(): Promise<void> {
    const { request, api } = this.#context;
    const refusal = this.#services.inFlight.isDraining ? draining() : refusalOfHeaders(request);
    if (refusal !== undefined) throw refusal;
    this.#hops = readHops(request.headers);
    const presented = readPresentedKey(api.readKey(request));
    const caller = await this.#identify(presented);
    if (caller.moderated) throw unjudged();
    const { opening } = api;
    const sessionSetup =
      opening.by === "message"
        ? await this.#awaitSetup(opening.parseRequest)
        : { parsed: opening.parseRequest(request), rest: () => [] };
    if (sessionSetup !== undefined) await this.#admit(sessionSetup, caller, presented);
  }

  /** Opens the caller's side and reads its first message; undefined if it disconnected. Rejects with RelayError. */
  async #awaitSetup(read: (message: Buffer) => SetupRequest): Promise<SessionSetup | undefined> {
    const { services, api, connection, accept } = this.#context;
    const end = (this.#caller = accept(responseHeaders(this.#requestId, api.dialect)));
    if (end === undefined) return undefined;
    const over = new AbortController();
    const remove = services.inFlight.add({
      socket: connection,
      parties: undefined,
      halfClosed: () => undefined,
      checkpoint: () => undefined,
      endIfStalled: () => undefined,
      end: (error) => over.abort(error),
      drain: () => over.abort(draining()),
    });
    try {
      const limits = { timeoutMs: HANDSHAKE_TIMEOUT_MS, mostBytes: MAX_SETUP_BYTES, signal: over.signal };
      const { first, rest } = await awaitFirstMessage(end, limits);
      return { ...read(first.bytes), rest };
    } catch (error) {
      if (!(error instanceof NoFirstMessage)) throw error;
      if (error.reason === "closed") return undefined;
      throw notSetUp(error.reason, MAX_SETUP_BYTES);
    } finally {
      remove();
    }
  }

  async #admit(sessionSetup: SessionSetup, caller: Caller, presented: PresentedKey): Promise<void> {
    const services = this.#services;
    const { parsed } = sessionSetup;
    const pinnedChannel = readPinnedChannel(presented, caller);
    this.#call = { caller, pinnedChannel, startedMs: this.#startedMs, parsed };
    if (pinnedChannel !== undefined) checkModel(caller, parsed.model);
    const models =
      pinnedChannel === undefined ? modelsFor(services, caller, parsed, () => NO_FACTS) : [{ model: parsed.model }];
    const admission = await services.limiter.admit(caller.limits, {
      models: [...new Set([parsed.model, ...models.map(({ model }) => model)])],
      modelTokens: 0,
      isForImages: false,
    });
    try {
      await services.countTokens.load();
      const [firstGroup = "default"] = caller.groups;
      const plan = await (pinnedChannel === undefined
        ? services.plans.find(caller, parsed, models)
        : services.plans.pinned(pinnedChannel, firstGroup, parsed));
      const reservations = this.#reservationsOf(plan, caller);
      const alias = pinnedChannel === undefined ? aliasOf(services, parsed) : "";
      const job = this.#jobOf(plan, { caller, parsed, alias, admission, pinned: pinnedChannel !== undefined });
      await this.#connect(job, reservations, presented.key, sessionSetup);
    } catch (error) {
      admission.settle(0);
      throw error;
    }
  }

  async #identify({ key }: PresentedKey): Promise<Caller> {
    const { services, request } = this.#context;
    const found = await services.callers.find(key);
    if (found !== undefined)
      this.#call = { caller: found, pinnedChannel: undefined, startedMs: this.#startedMs, parsed: undefined };
    return identifyCaller(services, request, found);
  }

  #reservationsOf({ routes }: RoutePlan, caller: Caller): SessionReservations {
    const models = routes.map(({ upstreamModel }) => upstreamModel);
    return new SessionReservations(this.#services, caller, { models, prices: routes.map(({ price }) => price) });
  }

  #jobOf(
    { routes, others }: RoutePlan,
    rest: Pick<ReservedRequest, "caller" | "parsed" | "alias" | "admission" | "pinned">,
  ): ReservedRequest {
    return {
      ...rest,
      ...this.#arrival,
      aliasFacts: rest.alias === "" ? UNKNOWN_FACTS : writeFacts(NO_FACTS),
      routes,
      others,
      hops: this.#hops,
      conversation: undefined,
      reserved: 0,
      cappedTokens: undefined,
      most: NOTHING,
      at: nowSeconds(this.#services.clock),
      startedMs: this.#startedMs,
      receivedMs: this.#startedMs,
      attempts: [],
      trace: undefined,
    };
  }

  async #connect(
    job: ReservedRequest,
    reservations: SessionReservations,
    key: string,
    { setup, mostTokens, rest }: SessionSetup,
  ): Promise<void> {
    const { services, api } = this.#context;
    let provider: SessionEnd | undefined;
    try {
      await reservations.ensure(1, { promptTokens: 0, completionTokens: reservations.longestAnswer }, this.#requestId);
      const setupBytes = Buffer.from(setup === undefined ? "" : JSON.stringify(setup));
      const { end, route, early } = await openSession(services, job, setupBytes, this.#gone.signal);
      provider = end;
      const { realtime: side } = job.parsed.format;
      if (side === undefined) throw new Error("The format of sessions has no side for them.");
      if (services.inFlight.isDraining) throw draining();
      const caller = this.#acceptCaller({
        ...responseHeaders(job.requestId, api.dialect),
        ...job.admission.headers(api.dialect.writeLimits),
      });
      if (caller === undefined) {
        provider.socket.terminate();
        return reservations.close();
      }
      const call = this.#call ?? { ...job, pinnedChannel: undefined };
      new RealtimeSession({
        services,
        dialect: api.dialect,
        side,
        caller,
        provider,
        route,
        job,
        key,
        reservations,
        call,
        early: { caller: rest(), provider: early },
        ...(setup !== undefined && { setup: { message: setup, mostTokens } }),
      }).start();
    } catch (error) {
      provider?.socket.terminate();
      await this.#abandon(job, reservations, error);
      throw error;
    }
  }

  async #abandon(job: ReservedRequest, reservations: SessionReservations, error: unknown): Promise<void> {
    const reservation = reservations.take();
    reservations.close();
    if (reservation === undefined) return;
    if (error instanceof RelayError) return reservations.release(reservation.requestId);
    this.#settled = job;
    const ending = this.#gone.signal.aborted ? CALLER_GONE : endOfError(error);
    const end: Outcome = {
      ...ending,
      route: undefined,
      notes: [],
      firstByteMs: 0,
      providerMs: undefined,
      written: undefined,
    };
    await new Promise((resolve) =>
      settle(this.#services, { ...job, requestId: reservation.requestId }, { end, late: () => end }, resolve),
    );
  }

  #acceptCaller(headers: Record<string, string>): SessionEnd | undefined {
    if (this.#gone.signal.aborted) return undefined;
    return this.#caller ?? this.#context.accept(headers);
  }

  #refuse(error: RelayError): void {
    if (this.#caller !== undefined) {
      return closeAlone(this.#caller, closeFrame(error, this.#services.inFlight.isDraining, true));
    }
    const { api, connection } = this.#context;
    const body = api.dialect.writeError(error, this.#requestId);
    const headers = {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      connection: "close",
      ...responseHeaders(this.#requestId, api.dialect),
      ...error.headers,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const code = api.dialect.statusOf(error);
    const status = `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? "Error"}\r\n`;
    if (connection.writable) connection.end(`${status}${lines.join("")}\r\n${body}`);
    connection.resume();
    setTimeout(() => connection.destroy(), REFUSED_MS).unref();
  }
}

/** Facts for the conditions of an alias: a session begins empty. */
const NO_FACTS = { promptTokens: 0, hasTools: false, hasImages: false };
const REFUSED_MS = 2_000;
const CALLER_GONE = {
  usage: undefined,
  rule: "none",
  end: "caller-gone",
  result: "caller-gone",
  statusCode: 0,
} as const;
/** Each answer has its own upper bound. */
const NOTHING: ReservedRequest["most"] = {
  promptTokens: 0,
  audioPromptTokens: 0,
  hasImages: false,
  completionTokens: 0,
  wantsAudio: false,
  priceFactor: 1,
  toolFees: 0,
};
