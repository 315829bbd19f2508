import { type IncomingMessage, STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ProviderFailedError } from "@one-api/providers/failure";
import { WebSocketServer } from "ws";
import { nowSeconds } from "../../core/clock.ts";
import { createRequestId } from "../../core/request-id.ts";
import { answerError, type KnownCall } from "../answer-error.ts";
import { checkCaller, type PresentedKey, readPinnedChannel, readPresentedKey } from "../callers/authenticate-token.ts";
import type { Caller } from "../callers/caller-source.ts";
import { noteFailure } from "../channels/note-outcome.ts";
import type { RoutePlan } from "../channels/route-plans.ts";
import { openai, ownAsk } from "../dialects/openai.ts";
import { endOfError, type JobEnd } from "../job-end.ts";
import { nextRoute, unserved } from "../next-route.ts";
import type { RelayDependencies } from "../relay-dependencies.ts";
import { RelayError } from "../relay-error.ts";
import type { RelayJob } from "../relay-job.ts";
import { modelNotAllowed } from "../relay-request.ts";
import { answerHeaders } from "../send-reply.ts";
import { bookJob } from "../settle-request.ts";
import { shouldTryAnother } from "../upstream/retry-policy.ts";
import type { SessionEnd } from "./message-pipe.ts";
import { openUpstream } from "./open-upstream.ts";
import { RealtimeSession } from "./realtime-session.ts";
import { SessionHolds } from "./session-holds.ts";
import { readBeta, readKey, readModel, refusalOfHeaders, SUBPROTOCOL } from "./session-request.ts";

/** Longest message of a caller that is taken, in bytes: 15 MiB of sound, as the API takes it, in base64. */
const MAX_MESSAGE_BYTES = 21 * 1024 * 1024;

/** Takes connections over that are to be sessions. */
export type HandleUpgrade = (request: IncomingMessage, connection: Duplex, head: Buffer) => void;

/** Builds the handler of sessions: OpenAI's realtime API over a WebSocket. Source: https://platform.openai.com/docs/guides/realtime-websocket */
export function createUpgradeHandler(deps: RelayDependencies): HandleUpgrade {
  const headersOf = new WeakMap<IncomingMessage, Record<string, string>>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    // Never one with a key in it.
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  server.on("headers", (lines, request) => {
    for (const [name, value] of Object.entries(headersOf.get(request) ?? {})) lines.push(`${name}: ${value}`);
  });
  return (request, connection, head) => {
    if (!(connection instanceof Socket)) return void connection.destroy();
    const accept: Accept = (headers) => {
      headersOf.set(request, headers);
      let end: SessionEnd | undefined;
      server.handleUpgrade(request, connection, head, (socket) => (end = { socket, connection }));
      return end;
    };
    void new SessionCall({ deps, request, connection, accept }).open();
  };
}

/** Answers that the session is open; undefined where the caller's request was none, and it has been told. */
type Accept = (headers: Record<string, string>) => SessionEnd | undefined;

interface SessionCallParts {
  readonly deps: RelayDependencies;
  readonly request: IncomingMessage;
  readonly connection: Socket;
  readonly accept: Accept;
}

/** A request to open a session, until it is open or refused. */
class SessionCall {
  readonly #deps: RelayDependencies;
  readonly #parts: SessionCallParts;
  readonly #requestId = createRequestId();
  readonly #startedMs: number;
  readonly #gone = new AbortController();
  #call: KnownCall | undefined;

  constructor(parts: SessionCallParts) {
    this.#parts = parts;
    this.#deps = parts.deps;
    this.#startedMs = parts.deps.clock.monotonicMs();
  }

  /** Never rejects. */
  async open(): Promise<void> {
    const { connection } = this.#parts;
    const gone = (): void => this.#gone.abort(new Error("The caller has left."));
    const unheard = (): undefined => undefined;
    connection.once("close", gone).on("error", unheard);
    try {
      await this.#open();
    } catch (error) {
      this.#refuse(answerError(this.#deps, error, this.#requestId, this.#call));
    } finally {
      connection.off("close", gone);
    }
  }

  async #open(): Promise<void> {
    const { request } = this.#parts;
    const deps = this.#deps;
    const refusal = deps.active.isDraining ? draining() : refusalOfHeaders(request);
    if (refusal !== undefined) throw refusal;
    const presented = readPresentedKey(readKey(request));
    const caller = await this.#identify(presented);
    if (caller.moderated) throw unjudged();
    const ask = {
      ...ownAsk("realtime", { model: readModel(request), stream: true }),
      formatHeaders: readBeta(request),
    };
    const pinnedChannel = readPinnedChannel(presented, caller);
    this.#call = { caller, pinnedChannel, startedMs: this.#startedMs, ask };
    if (caller.models !== undefined && !caller.models.has(ask.model)) throw modelNotAllowed(ask.model);
    const admission = deps.limiter.admit(caller.limits, 0);
    try {
      const [firstGroup = "default"] = caller.groups;
      const plan = await (pinnedChannel === undefined
        ? deps.plans.find(caller.groups, ask)
        : deps.plans.pinned(pinnedChannel, firstGroup, ask));
      const holds = this.#holdsOf(plan, caller);
      const job = this.#jobOf(plan, { caller, ask, admission, pinned: pinnedChannel !== undefined });
      await this.#connect(job, holds, presented.key);
    } catch (error) {
      admission.settle(0);
      throw error;
    }
  }

  async #identify({ key }: PresentedKey): Promise<Caller> {
    const { deps, request } = this.#parts;
    const found = await deps.callers.find(key);
    if (found !== undefined)
      this.#call = { caller: found, pinnedChannel: undefined, startedMs: this.#startedMs, ask: undefined };
    const address = found?.networks === undefined ? "" : deps.clientAddress(request);
    return checkCaller(found, address, deps.clock.nowMs());
  }

  #holdsOf({ routes }: RoutePlan, caller: Caller): SessionHolds {
    const models = routes.map(({ upstreamModel }) => upstreamModel);
    return new SessionHolds(this.#deps, caller, { models, prices: routes.map(({ price }) => price) });
  }

  #jobOf(
    { group, routes, others }: RoutePlan,
    rest: Pick<RelayJob, "caller" | "ask" | "admission" | "pinned">,
  ): RelayJob {
    return {
      ...rest,
      group,
      routes,
      others,
      requestId: this.#requestId,
      conversation: undefined,
      reserved: 0,
      cappedTokens: undefined,
      most: NOTHING,
      at: nowSeconds(this.#deps.clock),
      startedMs: this.#startedMs,
      attempts: [],
    };
  }

  /** Sets aside what the first answer can cost, opens the provider's side, and only then the caller's. */
  async #connect(job: RelayJob, holds: SessionHolds, key: string): Promise<void> {
    const deps = this.#deps;
    let provider: SessionEnd | undefined;
    try {
      await holds.ensure(1, { promptTokens: 0, completionTokens: holds.longestAnswer }, this.#requestId);
      const opened = await this.#openProvider(job);
      provider = opened.end;
      const { realtime: side } = job.ask.format;
      if (side === undefined) throw new Error("The format of sessions has no side for them.");
      if (deps.active.isDraining) throw draining();
      const headers = { ...answerHeaders(job.requestId, openai), ...job.admission.headers };
      const caller = this.#gone.signal.aborted ? undefined : this.#parts.accept(headers);
      if (caller === undefined) {
        provider.socket.terminate();
        return holds.close();
      }
      const call = this.#call ?? {
        caller: job.caller,
        pinnedChannel: undefined,
        startedMs: job.startedMs,
        ask: job.ask,
      };
      const common = { deps, dialect: openai, side, caller, provider, route: opened.route, job, key, holds, call };
      new RealtimeSession(common).start();
    } catch (error) {
      provider?.socket.terminate();
      await this.#giveUp(job, holds, error);
      throw error;
    }
  }

  /** What was set aside goes back; a session that no provider has opened has a row of the log. */
  async #giveUp(job: RelayJob, holds: SessionHolds, error: unknown): Promise<void> {
    const hold = holds.take();
    holds.close();
    if (hold === undefined) return;
    if (error instanceof RelayError) return holds.giveBack(hold.requestId);
    const told = this.#gone.signal.aborted ? CALLER_GONE : endOfError(error);
    const end: JobEnd = { ...told, route: undefined, note: undefined, firstByteMs: 0, written: undefined };
    await new Promise((resolve) =>
      bookJob(this.#deps, { ...job, requestId: hold.requestId }, { end, late: end }, resolve),
    );
  }

  /** The next channel is tried while a provider does not open the session. */
  async #openProvider(
    job: RelayJob,
  ): Promise<{ readonly end: SessionEnd; readonly route: RelayJob["routes"][number] }> {
    const deps = this.#deps;
    const tried = new Set<number>();
    let last: ProviderFailedError["failure"] | undefined;
    for (;;) {
      const { route, choice } = nextRoute(deps, job, tried, last);
      const beganMs = deps.clock.monotonicMs();
      const note = (status: number, failure: string): void => {
        const duration_ms = Math.round(deps.clock.monotonicMs() - beganMs);
        job.attempts.push({ channel: route.id, status, failure, duration_ms, choice });
      };
      try {
        const { ask } = job;
        const request = { body: Buffer.alloc(0), stream: true, formatHeaders: ask.formatHeaders };
        const { address } = await route.service.call(request, route.channel.connection, deps.providerIo);
        const end = await openUpstream(deps, address, route.service.format, this.#gone.signal);
        note(SWITCHING, "");
        return { end, route };
      } catch (error) {
        if (!(error instanceof ProviderFailedError)) throw error;
        const { failure } = error;
        note(failure.status, `${failure.kind}: ${failure.message}`.slice(0, 300));
        noteFailure(deps, route, failure);
        tried.add(route.id);
        last = failure;
        if (!this.#mayTryAnother(job, failure, tried.size)) throw unserved(failure);
      }
    }
  }

  #mayTryAnother({ pinned }: RelayJob, failure: ProviderFailedError["failure"], attempts: number): boolean {
    return shouldTryAnother({
      failure,
      attempts,
      retryTimes: this.#deps.options.number("RetryTimes"),
      answerBegan: false,
      channelPinned: pinned,
      callerGone: this.#gone.signal.aborted,
    });
  }

  #refuse(error: RelayError): void {
    const { connection } = this.#parts;
    const body = openai.writeError(error, this.#requestId);
    const headers = {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      connection: "close",
      ...answerHeaders(this.#requestId, openai),
      ...error.headers,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? "Error"}\r\n`;
    if (connection.writable) connection.end(`${status}${lines.join("")}\r\n${body}`);
    // Whatever else the caller sends is of no interest.
    connection.resume();
    setTimeout(() => connection.destroy(), REFUSED_MS).unref();
  }
}

/** A refused caller may take this long to read why, in ms. */
const REFUSED_MS = 2_000;
/** What is booked where the caller did not wait until a provider had opened the session. */
const CALLER_GONE = {
  usage: undefined,
  rule: "none",
  end: "caller-gone",
  result: "caller-gone",
  statusCode: 0,
} as const;
/** What a provider answers that opens the session. */
const SWITCHING = 101;
/** Every answer has a bound of its own. */
const NOTHING: RelayJob["most"] = {
  promptTokens: 0,
  audioPromptTokens: 0,
  hasImages: false,
  completionTokens: 0,
  wantsAudio: false,
  priceFactor: 1,
  toolFees: 0,
};

function draining(): RelayError {
  const message = "The gateway is stopping. Try again in a moment.";
  return new RelayError({ status: 503, code: "unavailable", message, retryAfterSeconds: 2 });
}

function unjudged(): RelayError {
  return new RelayError({
    status: 403,
    type: "invalid_request_error",
    code: "not_moderated",
    message: "This API key has its prompts moderated, which cannot be done with speech. Use another key for sessions.",
  });
}
