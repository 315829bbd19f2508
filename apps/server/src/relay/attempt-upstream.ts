import type { Failure } from "@one-api/providers/failure";
import type { Connection, Endpoint, UpstreamAddress } from "@one-api/providers/provider";
import type { Route } from "./channels/pick-channel.ts";
import { prepareBody } from "./prepare-body.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import type { RelayJob } from "./relay-job.ts";
import { StreamMeter } from "./stream/stream-meter.ts";
import type { ExchangeControls, UpstreamRequest } from "./upstream/exchange.ts";
import { fetchAnswer, type UpstreamAnswer } from "./upstream/fetch-answer.ts";
import { type OpenedStream, openStream } from "./upstream/open-stream.ts";

/** How one attempt went. A stream or answer is there but nothing of it has been sent to the caller. */
export type AttemptResult =
  | { readonly kind: "stream"; readonly stream: OpenedStream; readonly meter: StreamMeter }
  | { readonly kind: "answer"; readonly answer: UpstreamAnswer }
  | { readonly kind: "failure"; readonly failure: Failure }
  | { readonly kind: "caller-gone" };

/** Asks one channel. When the caller leaves meanwhile, the connection to the provider is closed at once. */
export async function attemptUpstream(deps: RelayDependencies, job: RelayJob, route: Route): Promise<AttemptResult> {
  let controls: ExchangeControls | undefined;
  const keepControls = (started: ExchangeControls) => void (controls = started);
  const { stream } = job.ask;
  const result = await Promise.race([
    job.arrival.callerGone,
    stream ? attemptStream(deps, job, route, keepControls) : attemptAnswer(deps, job, route, keepControls),
  ]);
  if (result !== "caller-gone") return result;
  controls?.abort();
  return { kind: "caller-gone" };
}

async function attemptStream(
  deps: RelayDependencies,
  job: RelayJob,
  route: Route,
  keepControls: (controls: ExchangeControls) => void,
): Promise<AttemptResult> {
  const meter = new StreamMeter(job.ask.wantsUsage, deps.countTokens.text);
  const request = toRequest(deps, job, route, deps.timeouts.streamFirstByteMs);
  const result = await openStream(deps.client, request, meter, keepControls);
  return result.ok ? { kind: "stream", stream: result.stream, meter } : { kind: "failure", failure: result.failure };
}

async function attemptAnswer(
  deps: RelayDependencies,
  job: RelayJob,
  route: Route,
  keepControls: (controls: ExchangeControls) => void,
): Promise<AttemptResult> {
  const request = toRequest(deps, job, route, deps.timeouts.answerFirstByteMs);
  const result = await fetchAnswer(deps.client, request, keepControls);
  return result.ok ? { kind: "answer", answer: result.answer } : { kind: "failure", failure: result.failure };
}

function toRequest(deps: RelayDependencies, job: RelayJob, route: Route, firstByteTimeoutMs: number): UpstreamRequest {
  return {
    address: addressOf(route, job.ask.endpoint),
    body: prepareBody(job, route),
    firstByteTimeoutMs,
    idleTimeoutMs: deps.timeouts.idleMs,
  };
}

/** Addresses by connection: a channel that is read anew has a new connection, and the old one's addresses go with it. */
const knownAddresses = new WeakMap<Connection, Map<string, UpstreamAddress>>();

function addressOf({ provider, channel, upstreamModel }: Route, endpoint: Endpoint): UpstreamAddress {
  const known = knownAddresses.get(channel.connection) ?? new Map<string, UpstreamAddress>();
  knownAddresses.set(channel.connection, known);
  const name = `${endpoint} ${upstreamModel}`;
  const address = known.get(name) ?? provider.address(endpoint, upstreamModel, channel.connection);
  known.set(name, address);
  return address;
}
