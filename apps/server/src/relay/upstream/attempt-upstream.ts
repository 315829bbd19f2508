import type { Failure } from "@one-api/providers/failure";
import type { StreamMeter } from "@one-api/providers/format";
import { OpenAiStreamMeter } from "@one-api/providers/formats/openai/stream-meter";
import type { ChannelConnection } from "@one-api/contract/channel-connection";
import type { Endpoint, UpstreamAddress } from "@one-api/providers/provider";
import { listOf, recordOf } from "@one-api/providers/shared/json-fields";
import { editFields } from "../body/json-fields.ts";
import type { RelayAsk } from "../body/read-ask.ts";
import type { Route } from "../channels/pick-channel.ts";
import type { RelayDependencies } from "../relay-dependencies.ts";
import type { RelayJob } from "../relay-job.ts";
import type { ExchangeControls, UpstreamRequest } from "./exchange.ts";
import { fetchAnswer, type UpstreamAnswer } from "./fetch-answer.ts";
import { type OpenedStream, openStream } from "./open-stream.ts";

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
  const meter = new OpenAiStreamMeter({ passUsage: job.ask.wantsUsage, countText: deps.countTokens.text });
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
const knownAddresses = new WeakMap<ChannelConnection, Map<string, UpstreamAddress>>();

function addressOf({ provider, channel, upstreamModel }: Route, endpoint: Endpoint): UpstreamAddress {
  const known = knownAddresses.get(channel.connection) ?? new Map<string, UpstreamAddress>();
  knownAddresses.set(channel.connection, known);
  const name = `${endpoint} ${upstreamModel}`;
  const address = known.get(name) ?? provider.address(endpoint, upstreamModel, channel.connection);
  known.set(name, address);
  return address;
}

/**
 * Returns the body for one channel: the caller's own bytes, but for the model after mapping, the channel's system prompt, the
 * request for usage in streams and a limit where the balance sets one.
 */
function prepareBody(job: RelayJob, route: Route): Buffer {
  const { ask, cappedTokens } = job;
  const edits = new Map<string, string>();
  if (route.upstreamModel !== ask.model) edits.set("model", JSON.stringify(route.upstreamModel));
  const effect = effectOfSystemPrompt(ask, route);
  if (effect !== undefined) edits.set("messages", JSON.stringify(withSystemPrompt(ask, route, effect)));
  if (ask.stream && !ask.wantsUsage && route.provider.streamUsage === "on-request") {
    const options = recordOf(ask.body.json["stream_options"]);
    edits.set("stream_options", JSON.stringify({ ...options, include_usage: true }));
  }
  if (cappedTokens !== undefined) {
    edits.set(ask.endpoint === "completions" ? "max_tokens" : "max_completion_tokens", String(cappedTokens));
  }
  return editFields(ask.body.bytes, ask.body.fields, edits);
}

/** What the channel's system prompt does to the request: takes the place of a system message at the front, or goes before everything. */
export function effectOfSystemPrompt(ask: RelayAsk, route: Route): "replaced" | "added" | undefined {
  if (route.channel.systemPrompt === "" || ask.endpoint !== "chat-completions") return undefined;
  const first = recordOf(listOf(ask.body.json["messages"])[0]);
  return first["role"] === "system" || first["role"] === "developer" ? "replaced" : "added";
}

function withSystemPrompt(ask: RelayAsk, route: Route, effect: "replaced" | "added"): unknown[] {
  const list = listOf(ask.body.json["messages"]);
  const { systemPrompt } = route.channel;
  if (effect === "added") return [{ role: "system", content: systemPrompt }, ...list];
  return [{ ...recordOf(list[0]), content: systemPrompt }, ...list.slice(1)];
}
