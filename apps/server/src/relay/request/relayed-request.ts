import type { CallerRequest, CallerResponse } from "@one-api/http1/server/caller-exchange";
import { nowSeconds } from "../../platform/clock.ts";
import type { Checkpoint } from "@one-api/ledger/ledger";
import type { InFlightRequest, RequestParties } from "../in-flight/index.ts";
import { pinToStoredObjects, type RoutePlan, stickyKey, storedIdsIn } from "../routing/index.ts";
import {
  requestsImages,
  endUnread,
  IncomingBody,
  inflateBody,
  isLong,
  isLongUnread,
  type ParsedRequest,
  readBody,
  readLongBody,
  type RequestBody,
} from "../body/index.ts";
import {
  type Admission,
  type Caller,
  checkModel,
  explainError,
  type IdentifiedCall,
  identifyCaller,
  type PresentedKey,
  readPinnedChannel,
  readPresentedKey,
} from "../callers/index.ts";
import { tokensUpperBound } from "../usage/index.ts";
import {
  ARRAY_COMMENT,
  type CallPath,
  type Dialect,
  queryOf,
  responseHeaders,
  STREAM_COMMENT,
} from "../dialects/index.ts";
import { moderatePrompt } from "../own-calls/index.ts";
import { readHops } from "../upstream/index.ts";
import { RelayError } from "../errors/index.ts";
import type { JobOwner } from "./job-owner.ts";
import { type Reservation, reserve, type ReservedRequest } from "../charging/index.ts";
import { ReplyWriter } from "./reply-writer.ts";
import { ServedJob } from "./serve-job.ts";
import type { RequestServices } from "./request-services.ts";

interface AuthenticatedCall extends IdentifiedCall {
  readonly ask: ParsedRequest | undefined;
}

/** What a relayed request is made of. */
export interface RelayedRequestParts {
  readonly services: RequestServices;
  readonly dialect: Dialect;
  readonly callPath: CallPath;
  readonly request: CallerRequest;
  readonly response: CallerResponse;
  readonly requestId: string;
}

/**
 * One relayed request, from its headers to its booking: authenticate, read, admit, reserve, attempt, send, settle. It walks by callbacks, and
 * waits on promises only where waiting is the point: a key's first use, a reservation in a shared database, moderation, a count. Whatever
 * happens on the way, what was set aside is settled exactly once.
 */
export class RelayedRequest implements JobOwner, InFlightRequest {
  readonly response: CallerResponse;
  readonly dialect: Dialect;
  readonly writer: ReplyWriter;
  readonly #services: RequestServices;
  readonly #parts: RelayedRequestParts;
  readonly #startedMs: number;
  readonly #at: number;
  readonly #body: IncomingBody;
  readonly #leave: () => void;
  #hops = 0;
  #isClosed = false;
  #isSettled = false;
  #isReserving = false;
  #key: PresentedKey = { key: "", channel: undefined };
  #call: AuthenticatedCall | undefined;
  #admission: Admission | undefined;
  #served: ServedJob | undefined;

  constructor(parts: RelayedRequestParts) {
    this.#parts = parts;
    this.#services = parts.services;
    this.#startedMs = this.#services.clock.monotonicMs();
    this.#at = nowSeconds(this.#services.clock);
    this.response = parts.response;
    this.dialect = parts.dialect;
    this.writer = new ReplyWriter(parts.response, this.#services.clock);
    this.#body = new IncomingBody(
      inflateBody(parts.request, (error) => this.#fail(error)),
      this.#services,
      (bytes) => this.#received(bytes),
      (error) => this.#fail(error),
    );
    this.#leave = this.#services.inFlight.add(this);
    parts.response.once("close", () => this.#closed());
  }

  /** Starts with who calls. */
  begin(): void {
    const { dialect, request } = this.#parts;
    try {
      this.#key = readPresentedKey(dialect.readCredential(request.headers, queryOf(request.url)));
      const { callers } = this.#services;
      const found = callers.find(this.#key.key);
      if (found instanceof Promise) found.then((caller) => this.#identified(caller), this.#failed);
      else this.#identified(found);
    } catch (error) {
      this.#fail(error);
    }
  }

  #identified(found: Caller | undefined): void {
    if (this.#isClosed) return;
    try {
      const caller = this.#identify(found);
      this.#hops = readHops(this.#parts.request.headers);
      this.#body.read(caller.userId);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Returns who calls. Throws a RelayError where the caller may not call. */
  #identify(found: Caller | undefined): Caller {
    const { services, request } = this.#parts;
    const [startedMs, ask] = [this.#startedMs, this.#call?.ask];
    this.#call = found && { caller: found, pinnedChannel: undefined, startedMs, ask };
    const caller = identifyCaller(services, request, found);
    this.#call = { caller, pinnedChannel: readPinnedChannel(this.#key, caller), startedMs, ask };
    return caller;
  }

  #received(bytes: Buffer): void {
    const { callPath, request } = this.#parts;
    try {
      const other = callPath.readBody?.(bytes, request.headers);
      if (other !== undefined) return this.#read(other);
      const body = isLong(bytes)
        ? readLongBody(bytes, this.#services.timeSlices, () => !this.#isClosed)
        : readBody(bytes);
      if (body instanceof Promise) body.then((read) => this.#read(read), this.#failed);
      else this.#read(body);
    } catch (error) {
      this.#fail(error);
    }
  }

  #read(body: RequestBody): void {
    const { callPath, request } = this.#parts;
    try {
      const ask = callPath.parseRequest(body, request.headers);
      if (callPath.measure === undefined || this.#call === undefined) return this.#asked(ask);
      const requester = { userId: this.#call.caller.userId, isConnected: () => !this.#isClosed };
      callPath.measure(ask, requester).then((measured) => this.#asked(measured), this.#failed);
    } catch (error) {
      this.#fail(error);
    }
  }

  #asked(ask: ParsedRequest): void {
    const { services } = this.#parts;
    if (this.#isClosed) return;
    try {
      if (this.#call === undefined) throw new Error("A relayed request was not authenticated.");
      this.#call = { ...this.#call, ask };
      const { caller, pinnedChannel } = this.#call;
      checkModel(caller, ask.model);
      const { limits } = caller;
      const modelTokens = limits.modelTokensPerMinute === 0 ? 0 : tokensUpperBound(ask);
      this.#admission ??= services.limiter.admit(limits, modelTokens, requestsImages(ask));
      const [firstGroup = "default"] = caller.groups;
      const open =
        pinnedChannel === undefined
          ? services.plans.find(caller.groups, ask)
          : services.plans.pinned(pinnedChannel, firstGroup, ask);
      const keptIds = storedIdsIn(ask);
      const plan = keptIds.length === 0 ? open : pinToStoredObjects(services, caller, keptIds, open);
      if (plan instanceof Promise) plan.then((found) => this.#planned(found, ask, caller), this.#failed);
      else this.#planned(plan, ask, caller);
    } catch (error) {
      this.#fail(error);
    }
  }

  #planned(plan: RoutePlan, ask: ParsedRequest, caller: Caller): void {
    if (this.#isClosed) return;
    const { requestId } = this.#parts;
    try {
      const prices = plan.routes.map((route) => route.price);
      const reserved = reserve(this.#services, { requestId, caller, ask, routes: plan.routes, prices });
      if (!(reserved instanceof Promise)) return this.#reserved(plan, ask, caller, reserved);
      this.#isReserving = true;
      reserved.then(
        (amount) => this.#reserved(plan, ask, caller, amount),
        (error: unknown) => this.#notReserved(error),
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  #notReserved(error: unknown): void {
    if (!(error instanceof RelayError)) this.#release();
    this.#fail(error);
  }

  #reserved(plan: RoutePlan, ask: ParsedRequest, caller: Caller, { amount, cappedTokens, most }: Reservation): void {
    const [services, call, admission] = [this.#services, this.#call, this.#admission];
    if (this.#isClosed || admission === undefined) {
      this.#release();
      return this.settled();
    }
    const job: ReservedRequest = {
      requestId: this.#parts.requestId,
      caller,
      ask,
      group: plan.group,
      routes: plan.routes,
      others: plan.others,
      pinned: call?.pinnedChannel !== undefined,
      hops: this.#hops,
      conversation: this.#conversationOf(plan, ask, caller),
      reserved: amount,
      cappedTokens,
      most,
      admission,
      at: this.#at,
      startedMs: this.#startedMs,
      attempts: [],
    };
    const served = new ServedJob(services, job, this);
    this.#served = served;
    // Who asks for a judgement gets it, whatever it is.
    if (caller.moderated && ask.endpoint !== "moderations") {
      moderatePrompt(services, caller, ask).then(
        () => served.begin(),
        (error: unknown) => served.fail(error),
      );
    } else served.begin();
  }

  #conversationOf({ routes }: RoutePlan, ask: ParsedRequest, { userId }: Caller): number | undefined {
    const isOn = routes.length > 1 && ask.hasCompletion && this.#services.isRoutingSticky();
    return isOn ? stickyKey({ userId, headers: this.#parts.request.headers, body: ask.body }) : undefined;
  }

  /** Gives back what was set aside, without a row of the log. */
  #release(): void {
    this.#services.ledger.release({ requestId: this.#parts.requestId });
  }

  /** Made where something is waited for: most requests wait for nothing. */
  get #failed(): (error: unknown) => void {
    return (error) => this.#fail(error);
  }

  /** Ends a request that holds nothing. */
  #fail(error: unknown): void {
    if (this.#isSettled) return;
    this.refuse(error);
    this.#body.discard();
    this.settled();
  }

  refuse(error: unknown): string {
    const { response, dialect, requestId, request } = this.#parts;
    if (this.#isClosed) return "";
    const answer = this.explain(error);
    if (response.headersSent) {
      response.destroy();
      return "";
    }
    const headers = { "content-type": "application/json", ...responseHeaders(requestId, dialect), ...answer.headers };
    const text = dialect.writeError(answer, requestId);
    const status = dialect.statusOf(answer);
    if (isLongUnread(request)) endUnread(request, response, { status, headers, text });
    else {
      response.writeHead(status, headers);
      response.end(text);
    }
    return text;
  }

  explain(error: unknown): RelayError {
    return explainError(this.#services, error, this.#parts.requestId, this.#call);
  }

  bodyGrew(bytes: number): void {
    this.#body.grow(bytes);
  }

  bodyShrank(): void {
    this.#body.shrink();
  }

  bodyUsed(): void {
    this.#body.discard();
  }

  settled(): void {
    this.#isSettled = true;
    this.#body.release();
    this.#admission?.settle(0);
    if (this.#isClosed) this.#leave();
  }

  /** The connection is done with this answer, or the caller has left before its end. */
  #closed(): void {
    this.#isClosed = true;
    this.#served?.closed();
    // What a provider is read on for is in memory as long.
    if (this.#served?.isReadOn !== true) this.#body.release();
    if (this.#isSettled) this.#leave();
    else if (this.#served === undefined && !this.#isReserving) this.settled();
  }

  get socket(): unknown {
    return this.#parts.request.socket;
  }

  halfClosed(): void {
    this.#probeCaller(FIRST_PROBE_MS);
  }

  /**
   * Something of no meaning tells, an interim answer (RFC 9110, 15.2) or a comment in the stream: a caller that waits takes no notice, one that has
   * left refuses it with a reset, which shows when the next is written.
   */
  #probeCaller(pauseMs: number): void {
    if (this.#isClosed || this.response.writableEnded) return;
    if (this.#served?.streamsFrom !== undefined && this.response.headersSent) this.#comment();
    else if (!this.response.headersSent && this.#parts.request.httpVersion === "1.1") this.response.writeProcessing();
    setTimeout(() => this.#probeCaller(Math.min(pauseMs * 2, LONGEST_PROBE_MS)), pauseMs);
  }

  /** Nothing can stand between two pieces of sound: the next of them tells. */
  #comment(): void {
    if (this.#call?.ask?.media?.kind === "speech") return;
    this.response.write(this.#call?.ask?.inArray === true ? ARRAY_COMMENT : STREAM_COMMENT);
  }

  get parties(): RequestParties | undefined {
    const call = this.#call;
    if (call?.ask === undefined || this.#isSettled) return undefined;
    const channelId = call.pinnedChannel === undefined ? this.#served?.streamsFrom?.id : undefined;
    return { key: this.#key.key, model: call.ask.model, channelId };
  }

  checkpoint(): Checkpoint | undefined {
    return this.#served?.checkpoint();
  }

  keepAlive(nowMs: number): void {
    if (this.writer.stalledMs(nowMs) === 0) this.#served?.keepAlive(nowMs);
  }

  endIfStalled(nowMs: number): void {
    if (this.writer.stalledMs(nowMs) >= this.#services.timeouts.callerStallMs) this.#served?.stalled();
  }

  end(error: RelayError): void {
    this.#served?.fail(error);
  }

  drain(): void {
    this.#served?.drain();
  }
}

/** Pauses between two looks whether a caller that sends nothing more is still there, in ms. */
const FIRST_PROBE_MS = 25;
const LONGEST_PROBE_MS = 5_000;
