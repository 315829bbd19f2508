import type { ChannelConnection, GetJson } from "@one-api/contract/channel-connection";
import type { ChannelType } from "@one-api/contract/channel-types";
import { type Failure, ProviderFailedError } from "../failure.ts";
import { predictionFailure, readReplicateError, replicatePrediction } from "../formats/replicate/replicate.ts";
import { modelsOfType } from "../models/models-of-type.ts";
import type { Provider, ProviderRequest, Service, UpstreamCall } from "../provider.ts";
import type { ProviderIo } from "../provider-io.ts";
import { type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from "../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../usage.ts";
import { bearerHeaders } from "./openai-compatible.ts";
import { unversionedUrl } from "./own-api.ts";

/** Models that answer chats, as Replicate lists them. */
const CHAT_MODELS = "/v1/collections/language-models";
/** A prediction is made at once, and then runs. */
const CREATE_TIMEOUT_MS = 30_000;
/** The end of an answer waits for what it cost. */
const USAGE_TIMEOUT_MS = 2_000;
const NOTHING = Buffer.alloc(0);

/** Where predictions are made with a model: by its name, or by the version after its name. Throws where it is no name of a model. */
function targetOf(model: string): { readonly path: string; readonly more: JsonRecord } {
  const [, owner, name, version] = /^([\w.-]+)\/([\w.-]+)(?::([0-9a-f]{64}))?$/.exec(model) ?? [];
  if (owner === undefined || name === undefined || owner.startsWith(".") || name.startsWith(".")) {
    const message = `${model} is no model of Replicate: its models are an owner and a name, such as meta/meta-llama-3-8b-instruct.`;
    throw new ProviderFailedError({ ...predictionFailure(message), kind: "unknown-model", status: 404 });
  }
  if (version !== undefined) return { path: "/v1/predictions", more: { version: `${owner}/${name}:${version}` } };
  return { path: `/v1/models/${owner}/${name}/predictions`, more: {} };
}

/** Chats as predictions of Replicate: one is made, and its stream is the answer. Source: https://replicate.com/docs/reference/http */
export function replicate(type: ChannelType): Provider {
  return {
    type,
    models: modelsOfType(type),
    serve: (endpoint, model) => (endpoint === "chat-completions" ? serviceOf(type, model) : undefined),
    listModels: (connection, getJson) => listModels(type, connection, getJson),
  };
}

function serviceOf(type: ChannelType, model: string): Service {
  return {
    format: replicatePrediction,
    exact: false,
    async call(request, connection, io) {
      const prediction = await create(type, model, request, connection, io);
      const giveUp = () => void cancel(type, prediction, connection, io).catch(() => undefined);
      try {
        const askUsage = () => usageOf(type, prediction, connection, io);
        return { ...streamOf(type, prediction, connection), askUsage, giveUp };
      } catch (error) {
        giveUp();
        throw error;
      }
    },
  };
}

async function create(
  type: ChannelType,
  model: string,
  { body }: ProviderRequest,
  connection: ChannelConnection,
  io: ProviderIo,
): Promise<JsonRecord> {
  const { path, more } = targetOf(model);
  const asked = { ...recordOf(parseJson(body.toString())), ...more };
  const url = unversionedUrl(type, connection, path);
  const headers = { ...bearerHeaders(connection), "content-type": "application/json" };
  const question = { url, headers, body: Buffer.from(JSON.stringify(asked)), timeoutMs: CREATE_TIMEOUT_MS };
  const reply = await io.ask({ method: "POST", ...question }).catch(() => {
    throw new ProviderFailedError({ ...predictionFailure(NO_CONNECTION), kind: "connection", status: 0 });
  });
  const prediction = recordOf(parseJson(reply.text));
  if (reply.status > 299 || textOf(prediction.id) === "") {
    throw new ProviderFailedError(readReplicateError(reply.status, reply.headers, reply.text));
  }
  return prediction;
}

const NO_CONNECTION = "The connection to the provider failed.";

/** What Replicate has counted, once the prediction is over; undefined where it counts no tokens, or does not say so in time. */
async function usageOf(
  type: ChannelType,
  { id }: JsonRecord,
  connection: ChannelConnection,
  io: ProviderIo,
): Promise<Usage | undefined> {
  const url = unversionedUrl(type, connection, `/v1/predictions/${encodeURIComponent(textOf(id))}`);
  const question = { url, headers: bearerHeaders(connection), body: NOTHING, timeoutMs: USAGE_TIMEOUT_MS };
  const reply = await io.ask({ method: "GET", ...question }).catch(() => undefined);
  const { metrics } = recordOf(parseJson(reply?.text ?? ""));
  const { input_token_count: prompt, output_token_count: completion } = recordOf(metrics);
  const [promptTokens, completionTokens] = [numberOf(prompt), numberOf(completion)];
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  return { ...NO_USAGE, promptTokens, completionTokens };
}

/** A prediction goes on when nobody reads its stream any more. */
async function cancel(
  type: ChannelType,
  { id }: JsonRecord,
  connection: ChannelConnection,
  io: ProviderIo,
): Promise<void> {
  const url = unversionedUrl(type, connection, `/v1/predictions/${encodeURIComponent(textOf(id))}/cancel`);
  await io.ask({ method: "POST", url, headers: bearerHeaders(connection), body: NOTHING });
}

/** Its stream is at a host of its own, which is told no key: who knows the address may read. Throws ProviderFailedError. */
function streamOf(type: ChannelType, prediction: JsonRecord, connection: ChannelConnection): UpstreamCall {
  const { status, error, urls } = prediction;
  if (status === "failed" || status === "canceled") {
    throw new ProviderFailedError(predictionFailure(textOf(error)));
  }
  const address = textOf(recordOf(urls).stream);
  if (address === "") throw new ProviderFailedError(noStream());
  const { origin } = new URL(unversionedUrl(type, connection, "/"));
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url !== undefined && (url.origin === origin || url.protocol === "https:");
  if (!isSafe) {
    const message = "The provider names an address of its stream that is none.";
    throw new ProviderFailedError({ ...predictionFailure(message), kind: "bad-answer" });
  }
  const headers = { accept: "text/event-stream", ...(url.origin === origin && bearerHeaders(connection)) };
  return { method: "GET", address: { url: url.href, headers }, body: NOTHING };
}

function noStream(): Failure {
  const message = "This model of Replicate writes no stream, so that it cannot be asked as a chat: choose another one.";
  return { ...predictionFailure(message), kind: "bad-request", status: 400, param: "model" };
}

async function listModels(
  type: ChannelType,
  connection: ChannelConnection,
  getJson: GetJson,
): Promise<readonly string[]> {
  const url = unversionedUrl(type, connection, CHAT_MODELS);
  const { models } = recordOf(await getJson(url, bearerHeaders(connection)));
  if (!Array.isArray(models)) throw new Error("The provider's answer holds no list of models.");
  const names = listOf(models)
    .map(recordOf)
    .map(({ owner, name }) => `${textOf(owner)}/${textOf(name)}`);
  return [...new Set(names)].filter((name) => !name.startsWith("/") && !name.endsWith("/"));
}
