import type { Failure } from "@one-api/providers/failure";
import type { Requester, UpstreamCall } from "@one-api/providers/provider";
import type { Usage } from "@one-api/providers/usage";
import type { IncomingBody } from "../body/index.ts";
import { connectWithKey } from "../channel-keys/index.ts";
import type { ChannelKeyForRelay } from "../../features/channels/index.ts";
import type { UsageChoice } from "../../features/logs/index.ts";
import {
  cooldownOf,
  isOfKey,
  nextRoute,
  type PricedCandidate,
  recordFailure,
  recordSuccess,
  recordUnanswered,
  shouldTryAnother,
  type Tried,
} from "../routing/index.ts";
import { limitOfBalance } from "../usage/index.ts";
import {
  ALIAS_DEADLINE,
  Attempt,
  type AttemptListener,
  describeFailure,
  failureOfUncalled,
  hopHeaders,
  UNPREPARED,
  type UpstreamAnswer,
  waitsOf,
  withHeaders,
} from "../upstream/index.ts";
import type { AnswerStream, Translation, WrittenRequest } from "../translate/index.ts";
import type { MemoryClaim } from "../../platform/memory/memory-budget.ts";
import { AwaitedAnswer } from "./awaited-answer.ts";
import type { ReservedRequest } from "../charging/index.ts";
import { upstreamFailed } from "../errors/index.ts";
import type { ReplyWriter } from "./reply-writer.ts";
import type { RequestServices } from "./request-services.ts";

/** Events of a request's attempts. An error that one throws ends the request. */
export interface AttemptEvents {
  /** False once the outcome is known: later events are ignored. */
  readonly isAwaited: boolean;
  readonly isCallerGone: boolean;
  readonly writer: Pick<ReplyWriter, "stalledMs">;
  /** The caller's body. Images that are fetched for an attempt count as a part of it. */
  readonly body: Pick<IncomingBody, "grow" | "shrink">;
  answered(candidate: PricedCandidate, answer: UpstreamAnswer): void;
  /** A piece of a stream came, from the first content on. */
  streamed(candidate: PricedCandidate, stream: AnswerStream, bytes: Buffer): void;
  /** A stream ended with these last bytes. `failure` is set unless the stream is complete. */
  streamEnded(
    candidate: PricedCandidate,
    stream: AnswerStream,
    bytes: Buffer | undefined,
    failure: Failure | undefined,
  ): void;
  /** No candidate answers, or an event threw. */
  end(error: unknown): void;
  /** The caller no longer reads an answer that is in memory. */
  stalled(): void;
}

const NONE_TRIED: Tried = new Set();
const NO_MODELS: readonly string[] = [];

/** Tries candidates until one answers, and records each attempt for the log and the channel's health. */
export class Attempts implements AttemptListener, Requester {
  readonly #services: RequestServices;
  readonly #request: ReservedRequest;
  readonly #events: AttemptEvents;
  #route: PricedCandidate | undefined;
  #choice: UsageChoice | undefined;
  #key: ChannelKeyForRelay | undefined;
  /** Models whose failed attempt left another key of the channel to try. */
  #keyFailures = NO_MODELS;
  #written: WrittenRequest | undefined;
  #translation: Translation | undefined;
  #attempt: Attempt | undefined;
  #call: UpstreamCall | undefined;
  #beganMs = 0;
  /** Model of the newest attempt, and the start of its first one, on the monotonic clock. */
  #modelBegan = { model: "", atMs: 0 };
  #tried = NONE_TRIED;
  #firstByteMs = 0;
  #providerMs = 0;
  /** Start of the wait for the provider, on the monotonic clock, in ms; undefined while none is awaited. */
  #waitingSinceMs: number | undefined;
  #claim: MemoryClaim | undefined;

  constructor(services: RequestServices, request: ReservedRequest, events: AttemptEvents) {
    this.#services = services;
    this.#request = request;
    this.#events = events;
  }

  get route(): PricedCandidate | undefined {
    return this.#route;
  }

  get written(): WrittenRequest | undefined {
    return this.#written;
  }

  get beganMs(): number {
    return this.#beganMs;
  }

  /** A provider started a stream and has not ended it. */
  get hasOpenStream(): boolean {
    return this.#attempt?.openStream !== undefined;
  }

  get firstByteMs(): number {
    return this.#firstByteMs;
  }

  /** Time spent waiting for providers so far, in ms: for access tokens, requests and answers, as fast as the caller receives them. */
  get providerMs(): number {
    return this.#providerMs;
  }

  /** The provider has ended its answer, and the request is not being sent any more. */
  get hasEnded(): boolean {
    return this.#attempt?.hasEnded === true;
  }

  get isWaiting(): boolean {
    return this.#events.isAwaited;
  }

  takeMemory(bytes: number): void {
    this.#events.body.grow(bytes);
  }

  next(lastFailure?: Failure): void {
    if (!this.#events.isAwaited) return;
    try {
      const { route, choice } = nextRoute(this.#services, this.#request, this.#tried, lastFailure);
      this.#choice = choice;
      this.#try(route);
    } catch (error) {
      this.#events.end(error);
    }
  }

  #try(route: PricedCandidate): void {
    const { parsed } = this.#request;
    const services = this.#services;
    this.#route = route;
    this.#beganMs = services.clock.monotonicMs();
    if (this.#modelBegan.model !== route.model) this.#modelBegan = { model: route.model, atMs: this.#beganMs };
    try {
      const translation = services.translate(parsed.format, route.service);
      this.#written = translation.writeRequest(parsed, {
        model: route.upstreamModel,
        systemPrompt: route.channel.systemPrompt,
        maxTokens: limitOfBalance(this.#request.cappedTokens, route.upstreamModel),
        reportUsage: parsed.stream && !parsed.wantsUsage,
        overrides: route.channel.overrides,
      });
      this.#translation = translation;
      const { proxy } = route.channel;
      const { connection, key } = connectWithKey(services, route, this.#request.conversation);
      this.#key = key;
      const { providerIo } = services.upstream.through(proxy);
      const call = route.service.call(this.#written, connection, providerIo, this);
      if (call instanceof Promise) this.#sendLater(call);
      else this.#send(call);
    } catch (error) {
      this.#uncalled(error);
    }
  }

  #sendLater(call: Promise<UpstreamCall>): void {
    this.#waitForProvider();
    call.then(
      (made) => this.#send(made),
      (error: unknown) => this.#uncalled(error),
    );
  }

  /** Handles an error before the request was sent: a failed attempt, or a refusal that ends the request. */
  #uncalled(error: unknown): void {
    const { requestId } = this.#request;
    const failure = failureOfUncalled(error, this.#services.log, { channelId: this.#route?.id, requestId });
    if (failure === undefined) this.#events.end(error);
    else this.failed(failure);
  }

  #send(call: UpstreamCall): void {
    const [translation, route] = [this.#translation, this.#route];
    if (!this.#events.isAwaited || translation === undefined || route === undefined) return call.giveUp?.();
    const { parsed, hops } = this.#request;
    const { upstream, timeouts, fetchPicture } = this.#services;
    this.#call = call;
    this.#attempt = new Attempt({ translation, parsed, stream: parsed.stream, fetchPicture }, this);
    const traceHeaders = this.#request.trace?.beginAttempt({
      endpoint: parsed.endpoint,
      channelId: route.id,
      channelType: route.channel.type,
      model: route.upstreamModel,
      url: call.address.url,
    });
    const gatewayHeaders = hopHeaders(route.service.baseUrl ?? route.channel.connection.baseUrl, hops);
    const headers = traceHeaders === undefined ? gatewayHeaders : { ...gatewayHeaders, ...traceHeaders };
    this.#waitForProvider();
    try {
      this.#attempt.send(upstream.through(route.channel.proxy).client, {
        ...call,
        address: withHeaders(call.address, route.channel.overrides, this.#request.headers),
        ...waitsOf(timeouts, parsed.stream, route.channel.deadlines, this.#aliasMs(route)),
        headers,
      });
    } catch (error) {
      this.#uncalled(error);
    }
  }

  /** Returns the rest of the time that the alias gives the model, in ms; undefined without another one to try. */
  #aliasMs({ model, firstTokenMs }: PricedCandidate): number | undefined {
    if (firstTokenMs === undefined || !this.#request.parsed.stream) return undefined;
    const { health, clock } = this.#services;
    const isLeft = (other: PricedCandidate) =>
      other.model !== model && !this.#tried.has(other) && cooldownOf(other, health, clock) === undefined;
    if (!this.#request.routes.some(isLeft)) return undefined;
    return Math.max(1, Math.ceil(firstTokenMs - (clock.monotonicMs() - this.#modelBegan.atMs)));
  }

  failed(failure: Failure): void {
    this.#stopWaiting(failure.status, failure.kind);
    const route = this.#route;
    const call = this.#call;
    this.#call = undefined;
    if (!this.#events.isAwaited || route === undefined) return;
    try {
      // A token in the call had expired: the attempt is repeated with a new one.
      const renewed = call?.renew?.(failure);
      if (renewed !== undefined) return this.#sendLater(renewed);
      call?.giveUp?.();
      this.#record(route, failure.status, describeFailure(failure));
      this.#recordFailure(route, failure);
      const tried = new Set(this.#tried);
      if (this.#hasOtherKey(route, failure)) this.#keyFailures = [...this.#keyFailures, route.model];
      else tried.add(route);
      this.#tried = tried;
      const aliasMs = this.#aliasMs(route);
      const again = shouldTryAnother({
        failure,
        attempts: this.#attemptsOf(route.model),
        hasOtherModel: this.#request.routes.some(({ model }) => model !== route.model),
        isModelLate: failure.code === ALIAS_DEADLINE || (aliasMs !== undefined && aliasMs <= 1),
        retryTimes: this.#services.retryTimes(),
        answerBegan: false,
        channelPinned: this.#request.pinned,
        callerGone: this.#events.isCallerGone,
      });
      if (again === "never") throw upstreamFailed(failure);
      if (again === "another-model") {
        for (const candidate of this.#request.routes) if (candidate.model === route.model) tried.add(candidate);
      }
    } catch (error) {
      return this.#events.end(error);
    }
    // The next attempt fetches its images again.
    this.#events.body.shrink();
    this.next(failure);
  }

  #recordFailure(route: PricedCandidate, failure: Failure): void {
    const { clock } = this.#services;
    // A missed deadline of an alias counts like a caller that disconnected.
    if (failure.code === ALIAS_DEADLINE)
      recordUnanswered(this.#services, route, this.#request, Math.round(clock.monotonicMs() - this.#beganMs));
    // A request that causes a fault in the gateway's own code must not put every channel on cooldown.
    else if (failure.code !== UNPREPARED) recordFailure(this.#services, route, failure, this.#key);
  }

  /** True if the key alone failed, and another one of the channel may answer. */
  #hasOtherKey(route: PricedCandidate, failure: Failure): boolean {
    if (this.#key === undefined || !isOfKey(failure)) return false;
    const { health, clock } = this.#services;
    return cooldownOf(route, health, clock) === undefined;
  }

  #attemptsOf(model: string): number {
    let attempts = 0;
    for (const candidate of this.#tried) attempts += candidate.model === model ? 1 : 0;
    for (const failed of this.#keyFailures) attempts += failed === model ? 1 : 0;
    return attempts;
  }

  claimMemory(goOn: () => void): MemoryClaim {
    const { answerMemory, clock } = this.#services;
    const { userId } = this.#request.caller;
    const stalledMs = () => this.#events.writer.stalledMs(clock.monotonicMs());
    return answerMemory.claim({ userId, resume: goOn, stalledMs, abort: () => this.#events.stalled() });
  }

  answered(answer: UpstreamAnswer): void {
    const route = this.#route;
    if (!this.#events.isAwaited || route === undefined) return answer.memory?.release();
    this.#claim = answer.memory;
    this.#stopWaiting(answer.status, "");
    try {
      this.#answerBegan(route);
      recordSuccess(this.#services, route, this.#key);
      this.#events.answered(route, answer);
    } catch (error) {
      this.#events.end(error);
    }
  }

  streamed(stream: AnswerStream, bytes: Buffer): void {
    const route = this.#route;
    if (!this.#events.isAwaited || route === undefined) return;
    try {
      this.#answerBegan(route);
      this.#events.streamed(route, stream, bytes);
    } catch (error) {
      this.#events.end(error);
    }
  }

  streamEnded(stream: AnswerStream, bytes: Buffer | undefined, failure: Failure | undefined): void {
    this.#stopWaiting(200, failure?.kind ?? "");
    const route = this.#route;
    if (!this.#events.isAwaited || route === undefined) return;
    try {
      this.#answerBegan(route);
      if (failure === undefined) recordSuccess(this.#services, route, this.#key);
      else recordFailure(this.#services, route, failure, this.#key);
      this.#events.streamEnded(route, stream, bytes, failure);
    } catch (error) {
      this.#events.end(error);
    }
  }

  #waitForProvider(): void {
    this.#waitingSinceMs ??= this.#services.clock.monotonicMs();
  }

  #stopWaiting(status: number, failure: string): void {
    if (this.#waitingSinceMs === undefined) return;
    this.#request.trace?.endAttempt(status, failure);
    this.#providerMs += this.#services.clock.monotonicMs() - this.#waitingSinceMs;
    this.#waitingSinceMs = undefined;
  }

  #answerBegan(route: PricedCandidate): void {
    if (this.#firstByteMs > 0 || this.#events.isCallerGone) return;
    const durationMs = this.#record(route, 200, "");
    this.#firstByteMs = Math.max(1, Math.round(this.#services.clock.monotonicMs() - this.#request.startedMs));
    this.#services.health.recordLatency(route.id, route.upstreamModel, durationMs);
  }

  #record(route: PricedCandidate, status: number, failure: string): number {
    const duration_ms = Math.round(this.#services.clock.monotonicMs() - this.#beganMs);
    const ofKey = this.#key === undefined ? {} : { key_end: this.#key.end };
    const { id: channel, model } = route;
    this.#request.attempts.push({ channel, status, failure, duration_ms, model, ...ofKey, choice: this.#choice });
    return duration_ms;
  }

  askUsage(): Promise<Usage | undefined> | undefined {
    return this.#call?.askUsage?.();
  }

  pause(): void {
    this.#attempt?.pause();
  }

  resume(): void {
    this.#attempt?.resume();
  }

  abort(): void {
    this.#stopWaiting(0, "aborted");
    this.#attempt?.abort();
    this.#call?.giveUp?.();
    this.#call = undefined;
  }

  /**
   * The caller has disconnected before any content. Returns the empty answer that the provider works on. Without one it aborts the attempt and returns
   * undefined.
   */
  abandonBeforeContent(): { readonly route: PricedCandidate; readonly stream: AnswerStream } | undefined {
    const [route, attempt] = [this.#route, this.#attempt];
    if (route !== undefined) {
      const begun = attempt?.openStream;
      const silentMs = this.#record(route, begun === undefined ? 0 : 200, "caller-gone");
      recordUnanswered(this.#services, route, this.#request, silentMs);
      if (attempt?.isTaken === true) return { route, stream: begun ?? new AwaitedAnswer() };
    }
    this.abort();
    return undefined;
  }

  /** The whole answer has left memory. */
  releaseMemory(): void {
    this.#claim?.release();
  }
}
