import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { type Failure, ProviderFailedError } from "../../failure.ts";
import { predictionFailure, replicatePrediction } from "./format.ts";
import { modelsOfType } from "../../models/models-of-type.ts";
import type { Provider, Service, UpstreamCall } from "../../provider.ts";
import type { ProviderIo } from "../../provider-io.ts";
import { type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { unversionedUrl } from "../../builders/own-api.ts";
import { picturesOf } from "./pictures.ts";
import { cancelPrediction, createPrediction } from "./prediction.ts";

const COLLECTIONS = ["/v1/collections/language-models", "/v1/collections/text-to-image"];
/** The end of an answer waits for its usage. */
const USAGE_TIMEOUT_MS = 2_000;
const NOTHING = Buffer.alloc(0);

/** Chats as predictions: one is created, and its stream is the answer. Source: https://replicate.com/docs/reference/http */
export function replicate(type: ChannelType): Provider {
  return {
    type,
    models: modelsOfType(type),
    serve(endpoint, model) {
      if (endpoint === "image-generations" || endpoint === "image-edits") return picturesOf(type, model);
      return endpoint === "chat-completions" ? serviceOf(type, model) : undefined;
    },
    listModels: (connection, getJson) => listModels(type, connection, getJson),
  };
}

function serviceOf(type: ChannelType, model: string): Service {
  return {
    format: replicatePrediction,
    exact: false,
    async call(request, connection, io) {
      const account = { type, connection, io };
      const prediction = await createPrediction(account, model, request);
      const giveUp = () => void cancelPrediction(account, prediction).catch(() => undefined);
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

/** Reads the usage of a finished prediction; undefined without token counts, or without a timely report. */
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

/** The stream has a host of its own, which receives no key: its address is secret. Throws ProviderFailedError. */
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
  const names = new Set<string>();
  for (const path of COLLECTIONS) {
    const { models } = recordOf(await getJson(unversionedUrl(type, connection, path), bearerHeaders(connection)));
    if (!Array.isArray(models)) throw new Error("The provider's answer holds no list of models.");
    for (const { owner, name } of listOf(models).map(recordOf)) {
      if (textOf(owner) !== "" && textOf(name) !== "") names.add(`${textOf(owner)}/${textOf(name)}`);
    }
  }
  return [...names];
}
