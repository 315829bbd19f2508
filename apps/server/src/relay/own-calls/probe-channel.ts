import type { Failure } from "@one-api/providers/failure";
import { modelFacts } from "@one-api/providers/model-facts/model-facts";
import type { Usage } from "@one-api/providers/usage";
import type { ChannelForRelay, CheapestModel, ProbeChannel, ProbeUsage } from "../../features/channels/index.ts";
import type { ParsedRequest } from "../body/index.ts";
import { ownRequest } from "../dialects/index.ts";
import { explainFailure, failureOfUncalled, type UpstreamServices } from "../upstream/index.ts";
import { computeCost, costOfModel } from "../pricing/index.ts";
import { callProvider, prepareCall } from "./call-provider.ts";
import { type Candidate, findCandidates, PATH_NOT_SERVED, type RoutingServices } from "../routing/index.ts";

const PROBE_TIMEOUT_MS = 60_000;

type ProbeServices = Pick<UpstreamServices, "upstream" | "translate" | "log">;

/** Tests a channel with one short request, which is not charged, and each address of its dialects with another one. */
export function createProbeChannel({
  clock,
  providerSwitches,
  ...services
}: ProbeServices & Pick<RoutingServices, "clock" | "providerSwitches">): ProbeChannel {
  return async (channel, model) => {
    const began = clock.monotonicMs();
    const elapsed = () => Math.round(clock.monotonicMs() - began);
    const parsed = requestOf(model);
    const { routes } = findCandidates([channel], model, parsed.endpoint, providerSwitches());
    const [route] = routes;
    if (route === undefined) {
      const message = `${PATH_NOT_SERVED.slice(0, 1).toUpperCase()}${PATH_NOT_SERVED.slice(1)}.`;
      return { ok: false, elapsedMs: 0, message, failure: "not-supported", status: 0, address: "" };
    }
    const outcome = { ...(await probeRoute(services, parsed, route)), elapsedMs: elapsed() };
    if (!outcome.ok) return outcome;
    let { usage } = outcome;
    for (const other of elsewhere(route)) {
      const there = await probeRoute(services, parsed, other);
      if (!there.ok) return { ...there, elapsedMs: elapsed() };
      usage = sumOf(usage, there.usage);
    }
    return { ...outcome, ...(usage && { usage }) };
  };
}

function elsewhere(route: Candidate): readonly Candidate[] {
  const services = [...(route.service.byFormat?.values() ?? [])];
  return services.filter(({ baseUrl }) => baseUrl !== route.service.baseUrl).map((service) => ({ ...route, service }));
}

function sumOf(one: ProbeUsage | undefined, other: ProbeUsage | undefined): ProbeUsage | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    cost: one.cost < 0 || other.cost < 0 ? -1 : one.cost + other.cost,
  };
}

async function probeRoute(services: ProbeServices, parsed: ParsedRequest, route: Candidate) {
  const { channel } = route;
  const ownCall = await prepareCall(services, parsed, route, true).catch((error: unknown) => {
    const failure = failureOfUncalled(error, services.log, { channelId: channel.id });
    if (failure === undefined) throw error;
    return failure;
  });
  if ("kind" in ownCall) return { ...failed(ownCall), address: "" };
  const address = hostAndPath(ownCall.call.address.url);
  const timeoutMs = Math.min(PROBE_TIMEOUT_MS, channel.deadlines?.totalMs ?? PROBE_TIMEOUT_MS);
  const result = await callProvider(ownCall, timeoutMs);
  if (!result.ok) return { ...failed(result.failure), address };
  const { bytes, usage } = result.answer;
  const text = ownCall.translation.answerText(bytes).slice(0, 200);
  return { ok: true, text, address, ...(usage && { usage: usageOf(usage, channel, route) }) } as const;
}

function usageOf(usage: Usage, { type, costs }: ChannelForRelay, { upstreamModel }: Candidate): ProbeUsage {
  const { promptTokens, completionTokens } = usage;
  return { promptTokens, completionTokens, cost: computeCost(usage, costOfModel(upstreamModel, type, costs)) };
}

/** Returns the channel's chat model that costs least per input token. */
export const cheapestModel: CheapestModel = ({ models, modelMapping, type, costs }) => {
  const priced = [...models]
    .filter((model) => modelFacts(modelMapping.get(model) ?? model).chats)
    .map((model) => ({ model, price: costOfModel(modelMapping.get(model) ?? model, type, costs) }))
    .flatMap(({ model, price }) => (price?.unit === "token" ? [{ model, cost: price.modelRatio }] : []));
  return priced.sort((left, right) => left.cost - right.cost)[0]?.model;
};

function failed(failure: Failure) {
  const { kind, status } = failure;
  return { ok: false, message: explainFailure(failure, status), failure: kind, status } as const;
}

/** Without the query, which may contain keys. */
function hostAndPath(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** Embedding models cannot chat. Only the name shows the kind. */
const EMBEDDING_MODEL = /embed|^bge-|^tao-8k$/i;

function requestOf(model: string): ParsedRequest {
  if (EMBEDDING_MODEL.test(model)) return ownRequest("embeddings", { model, input: "Hello" });
  const messages = [{ role: "user", content: "Say only the name of your model." }];
  return ownRequest("chat-completions", { model, messages });
}
