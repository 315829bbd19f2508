import { completionText } from "@one-api/providers/formats/openai/delta-text";
import type { Failure } from "@one-api/providers/failure";
import type { Provider } from "@one-api/providers/provider";
import { providerOf } from "@one-api/providers/registry";
import type { Dispatcher } from "undici";
import type { Clock } from "../../core/clock.ts";
import type { ChannelForRelay, ProbeChannel } from "../../features/channels/index.ts";
import type { Translation } from "../translate/translation.ts";
import type { UpstreamRequest } from "../upstream/attempt.ts";
import { fetchAnswer } from "../upstream/fetch-answer.ts";

/** How long a test of a channel may take, in ms. */
const PROBE_TIMEOUT_MS = 60_000;

/** Builds the test of a channel: one short question to its provider, charged to nobody. */
export function createProbeChannel(client: Dispatcher, translation: Translation, clock: Clock): ProbeChannel {
  return async (channel, model) => {
    const began = clock.monotonicMs();
    const provider = providerOf(channel.type);
    if (provider === undefined || provider.format === "pending") {
      const message = "This kind of channel cannot be called yet.";
      return { ok: false, elapsedMs: 0, message, failure: "not-supported", status: 0, address: "" };
    }
    const question = prepareQuestion(provider, channel, channel.modelMapping.get(model) ?? model);
    const address = hostAndPath(question.address.url);
    const result = await fetchAnswer(client, translation, question);
    const elapsedMs = Math.round(clock.monotonicMs() - began);
    if (result.ok) return { ok: true, elapsedMs, text: readText(result.answer.bytes), address };
    const { kind, status } = result.failure;
    return { ok: false, elapsedMs, message: explain(result.failure), failure: kind, status, address };
  };
}

/** Queries may carry keys. */
function hostAndPath(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** Embedding models cannot chat; what a model's name says of it is the only hint there is. */
const EMBEDDING_MODEL = /embed|^bge-|^tao-8k$/i;

function prepareQuestion(provider: Provider, channel: ChannelForRelay, model: string): UpstreamRequest {
  const embedding = EMBEDDING_MODEL.test(model);
  const endpoint = embedding ? "embeddings" : "chat-completions";
  const question = embedding
    ? { model, input: "Hello" }
    : { model, messages: [{ role: "user", content: "Say only the name of your model." }] };
  return {
    address: provider.address(endpoint, model, channel.connection),
    body: Buffer.from(JSON.stringify(question)),
    firstByteTimeoutMs: PROBE_TIMEOUT_MS,
    idleTimeoutMs: PROBE_TIMEOUT_MS,
  };
}

function explain({ message, status, code }: Failure): string {
  const facts = [...(status === 0 ? [] : [`status ${status}`]), ...(code === "" ? [] : [code])];
  return facts.length === 0 ? message : `${message.replace(/\.$/, "")} (${facts.join(", ")}).`;
}

function readText(bytes: Buffer): string {
  return completionText(JSON.parse(bytes.toString())).slice(0, 200);
}
