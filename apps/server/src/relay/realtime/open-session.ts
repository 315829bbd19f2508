import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { type Failure, failureOf, ProviderFailedError } from "@one-api/providers/failure";
import type { RealtimeOpening } from "@one-api/providers/realtime-side";
import { connectWithKey } from "../channel-keys/index.ts";
import { nextRoute, type PricedCandidate, recordFailure, shouldTryAnother } from "../routing/index.ts";
import { describeFailure, failureOfUncalled, hopHeaders, withHeaders } from "../upstream/index.ts";
import type { ReservedRequest } from "../charging/index.ts";
import { awaitFirstMessage, NoFirstMessage } from "./first-message.ts";
import type { Message, SessionEnd } from "./message-pipe.ts";
import { HANDSHAKE_TIMEOUT_MS, MAX_PROVIDER_MESSAGE_BYTES, openUpstream } from "./open-upstream.ts";
import { upstreamFailed } from "../errors/index.ts";
import { NO_CLOSE_FRAME } from "./session-close.ts";
import type { SessionServices } from "./session-services.ts";

export interface OpenedSession {
  readonly end: SessionEnd;
  readonly route: PricedCandidate;
  readonly early: readonly Message[];
}

const SWITCHING = 101;

/** Opens the session at a provider, with failover. `setup`: its first message, or empty. Rejects with RelayError. */
export async function openSession(
  services: SessionServices,
  job: ReservedRequest,
  setup: Buffer,
  gone: AbortSignal,
): Promise<OpenedSession> {
  const tried = new Set<PricedCandidate>();
  let last: Failure | undefined;
  for (;;) {
    const { route, choice } = nextRoute(services, job, tried, last);
    const { connection, key } = connectWithKey(services, route, undefined);
    const beganMs = services.clock.monotonicMs();
    const recordAttempt = (status: number, failure: string): void => {
      const duration_ms = Math.round(services.clock.monotonicMs() - beganMs);
      const ofKey = key === undefined ? {} : { key_end: key.end };
      const ofModel = job.alias === "" ? {} : { model: route.model };
      job.attempts.push({ channel: route.id, status, failure, duration_ms, ...ofModel, ...ofKey, choice });
    };
    try {
      const opened = await openAt(services, job, { route, connection }, setup, gone);
      recordAttempt(SWITCHING, "");
      return opened;
    } catch (error) {
      const failure = gone.aborted
        ? undefined
        : failureOfUncalled(error, services.log, { channelId: route.id, requestId: job.requestId });
      if (failure === undefined) throw error;
      recordAttempt(failure.status, describeFailure(failure));
      recordFailure(services, route, failure, key);
      tried.add(route);
      last = failure;
      const next = shouldTryAnother({
        failure,
        attempts: [...tried].filter(({ model }) => model === route.model).length,
        hasOtherModel: job.routes.some(({ model }) => model !== route.model),
        isModelLate: false,
        retryTimes: services.retryTimes(),
        answerBegan: false,
        channelPinned: job.pinned,
        callerGone: gone.aborted,
      });
      if (next === "never") throw upstreamFailed(failure);
      if (next === "another-model") for (const other of job.routes) if (other.model === route.model) tried.add(other);
    }
  }
}

async function openAt(
  services: SessionServices,
  { parsed, hops, headers: ofClient }: ReservedRequest,
  { route, connection }: { readonly route: PricedCandidate; readonly connection: ChannelConnection },
  setup: Buffer,
  gone: AbortSignal,
): Promise<OpenedSession> {
  const { proxy, overrides } = route.channel;
  const request = { body: setup, stream: true, formatHeaders: parsed.formatHeaders };
  const call = await route.service.call(request, connection, services.upstream.through(proxy).providerIo);
  const { body } = call;
  const address = withHeaders(call.address, overrides, ofClient);
  const headers = { ...address.headers, ...hopHeaders(route.service.baseUrl ?? connection.baseUrl, hops) };
  const end = await openUpstream(
    services.upstream.addressOf(proxy),
    { ...address, headers },
    route.service.format,
    gone,
  );
  const opening = parsed.format.realtime?.setup;
  const early = opening === undefined ? [] : await setUp(end, body, opening, gone);
  return { end, route, early };
}

/** Sends the first message and waits for the provider's. Rejects with ProviderFailedError. */
async function setUp(
  end: SessionEnd,
  message: Buffer,
  opening: RealtimeOpening,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const limits = { timeoutMs: HANDSHAKE_TIMEOUT_MS, mostBytes: MAX_PROVIDER_MESSAGE_BYTES, signal };
  const answered = awaitFirstMessage(end, limits);
  end.socket.send(message.toString());
  try {
    const { first, rest } = await answered;
    return [first, ...rest()];
  } catch (error) {
    end.socket.terminate();
    if (!(error instanceof NoFirstMessage)) throw error;
    if (error.reason === "closed" && error.code !== NO_CLOSE_FRAME) {
      throw new ProviderFailedError(opening.readClose(error.code, error.message));
    }
    const kind = error.reason === "late" ? "timeout" : "bad-answer";
    throw new ProviderFailedError(failureOf(kind, 0, "The provider did not set the session up."));
  }
}
