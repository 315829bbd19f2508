import { completionText } from "@one-api/providers/formats/openai/delta-text";
import type { Failure } from "@one-api/providers/failure";
import type { Provider } from "@one-api/providers/provider";
import { providerOf } from "@one-api/providers/registry";
import type { Dispatcher } from "undici";
import type { Clock } from "../../core/clock.ts";
import type { ChannelForRelay, ProbeChannel } from "../../features/channels/index.ts";
import { fetchAnswer, type FetchAnswerResult } from "../upstream/fetch-answer.ts";

/** How long a test of a channel may take, in ms. */
const PROBE_TIMEOUT_MS = 60_000;

/** Builds the test of a channel: one short question to its provider, charged to nobody. */
export function createProbeChannel(client: Dispatcher, clock: Clock): ProbeChannel {
  return async (channel, model) => {
    const began = clock.monotonicMs();
    const elapsed = () => Math.round(clock.monotonicMs() - began);
    const provider = providerOf(channel.type);
    if (provider === undefined || provider.format === "pending") {
      return {
        ok: false,
        elapsedMs: 0,
        message: "This kind of channel cannot be called yet.",
        credentialRefused: false,
      };
    }
    const result = await ask(client, provider, channel, channel.modelMapping.get(model) ?? model);
    if (!result.ok)
      return {
        ok: false,
        elapsedMs: elapsed(),
        message: explain(result.failure),
        credentialRefused: isRefusal(result.failure),
      };
    return { ok: true, elapsedMs: elapsed(), text: readText(result.answer.bytes) };
  };
}

/** Embedding models cannot chat; what a model's name says of it is the only hint there is. */
const EMBEDDING_MODEL = /embed|^bge-|^tao-8k$/i;

function ask(
  client: Dispatcher,
  provider: Provider,
  channel: ChannelForRelay,
  model: string,
): Promise<FetchAnswerResult> {
  const embedding = EMBEDDING_MODEL.test(model);
  const endpoint = embedding ? "embeddings" : "chat-completions";
  const question = embedding
    ? { model, input: "Hello" }
    : { model, messages: [{ role: "user", content: "Say only the name of your model." }] };
  return fetchAnswer(
    client,
    {
      address: provider.address(endpoint, model, channel.connection),
      body: Buffer.from(JSON.stringify(question)),
      firstByteTimeoutMs: PROBE_TIMEOUT_MS,
      idleTimeoutMs: PROBE_TIMEOUT_MS,
    },
    () => undefined,
  );
}

function explain(failure: Failure): string {
  return failure.status === 0 ? failure.message : `${failure.message} (status ${failure.status})`;
}

function isRefusal(failure: Failure): boolean {
  return failure.kind === "bad-credential" || failure.kind === "out-of-credit";
}

function readText(bytes: Buffer): string {
  return completionText(JSON.parse(bytes.toString())).slice(0, 200);
}
