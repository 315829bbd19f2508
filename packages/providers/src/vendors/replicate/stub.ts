import { reportUsage } from "../../stub-kit/report-usage.ts";
import { countField, isJsonObject, type JsonObject } from "../../stub-kit/json-fields.ts";
import { bearerKey, openAiErrorBody, RequestRefused } from "../../stub-kit/refusal.ts";
import type { Call, Reply, StreamEvent } from "../../stub-kit/call.ts";
import { composeAnswer, fillerWord } from "../../stub-kit/compose-answer.ts";
import { countWords } from "../../stub-kit/prompt.ts";
import { pictureUrls } from "../../stub-kit/picture-store.ts";
import { beginTask, cancelTask, isTask, lookAtTask } from "../../stub-kit/picture-tasks.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const PAINTERS = /flux|diffusion|image|banana/;
/** Predictions and streams. Addresses of streams are secret and need no key. Source: https://replicate.com/docs/reference/http */
export const replicateStub: Stub = {
  apis: [
    {
      routes: {
        "POST /v1/predictions": createPrediction,
        "POST /v1/models/{owner}/{name}/predictions": createPrediction,
        "GET /v1/predictions/{id}": getPrediction,
        "POST /v1/predictions/{id}/cancel": cancelPrediction,
        "GET /v1/collections/{slug}": listModels,
      },
      readKey: ({ authorization }) => bearerKey(authorization),
      writeError: (status, { error }) => ({ title: "Refused", detail: error.message, status }),
    },
    {
      routes: { "GET /v1/streams/{id}": stream },
      readKey: () => "",
      writeError: (_status, { error }) => ({ detail: error.message }),
    },
  ],
};

/** Data of a prediction that later requests need; it is encoded in the prediction's id. */
interface Asked {
  readonly prompt: string;
  readonly limit: number | undefined;
  readonly call: string;
}

function idOf(asked: Asked): string {
  return Buffer.from(JSON.stringify(asked)).toString("hex");
}

function askedBy(id: string): Asked {
  const asked: unknown = JSON.parse(Buffer.from(id, "hex").toString());
  if (!isJsonObject(asked))
    throw new RequestRefused(404, openAiErrorBody("The requested resource could not be found."));
  return { prompt: String(asked["prompt"]), limit: countField(asked, "limit", 1), call: String(asked["call"]) };
}

function createPrediction(asked: Call): Reply {
  const { id: call, params, body, base } = asked;
  const input = isJsonObject(body["input"]) ? body["input"] : {};
  const { prompt } = input;
  if (typeof prompt !== "string") refuse("Input validation failed: - input: prompt is required");
  if (params["name"] === undefined && typeof body["version"] !== "string") refuse("- version is required");
  const { owner, name } = params;
  const model = name === undefined ? (String(body["version"]).split(":")[0] ?? "") : `${owner}/${name}`;
  if (PAINTERS.test(model)) return paint(asked, model, input);
  const limit = ["max_tokens", "max_completion_tokens", "max_output_tokens"]
    .map((field) => countField(input, field, 1))
    .find((value) => value !== undefined);
  const id = idOf({ prompt, limit, call });
  const urls = {
    get: `${base}/v1/predictions/${id}`,
    cancel: `${base}/v1/predictions/${id}/cancel`,
    stream: `${base}/v1/streams/${id}`,
  };
  return {
    kind: "json",
    status: 201,
    isSound: true,
    body: { ...predictionOf(id, "starting"), model, input, urls },
    tokens: 0,
  };
}

function paint(call: Call, model: string, input: JsonObject): Reply {
  const id = beginTask(call, countField(input, "num_outputs", 1) ?? 1);
  const get = `${call.base}/v1/predictions/${id}`;
  const body = { ...predictionOf(id, "starting"), model, input, urls: { get, cancel: `${get}/cancel` } };
  return { kind: "json", status: 201, isSound: true, body, tokens: 0 };
}

const STATUS_OF_STATE = { running: "processing", done: "succeeded", failed: "failed", cancelled: "canceled" } as const;

function getPainting(call: Call, id: string): Reply {
  const { state, count } = lookAtTask(id, call.behaviour);
  const made = pictureUrls(call, count);
  const more = {
    ...(state === "done" && { output: count === 1 ? made[0] : made }),
    ...(state === "failed" && { error: "The prompt was flagged." }),
  };
  const get = `${call.base}/v1/predictions/${id}`;
  const body = { ...predictionOf(id, STATUS_OF_STATE[state]), ...more, urls: { get, cancel: `${get}/cancel` } };
  return { kind: "json", isSound: true, body, tokens: 0 };
}

function refuse(text: string): never {
  throw new RequestRefused(422, openAiErrorBody(text));
}

function predictionOf(id: string, status: string): JsonObject {
  return { id, status, version: "hidden", source: "api", data_removed: false, created_at: "2026-11-22T00:00:00Z" };
}

function cancelPrediction({ params: { id = "" } }: Call): Reply {
  if (isTask(id)) cancelTask(id);
  const body = predictionOf(id, "canceled");
  return { kind: "json", isSound: true, body, tokens: 0 };
}

/** GET /v1/predictions/{id}: the state after the stream's end. */
function getPrediction(call: Call): Reply {
  const { params, behaviour, settings } = call;
  const { id = "" } = params;
  if (isTask(id)) return getPainting(call, id);
  const { prompt, limit } = askedBy(id);
  const { pieces } = composeAnswer(lastText(prompt), limit, behaviour, settings.seed);
  const counted = { input_token_count: countWords(prompt), output_token_count: pieces.length };
  const metrics = { predict_time: 0.1, ...reportUsage(counted, behaviour) };
  const body = { ...predictionOf(id, "succeeded"), output: pieces, metrics };
  return { kind: "json", isSound: true, body, tokens: 0 };
}

function stream(call: Call): Reply {
  const asked = askedBy(call.params["id"] ?? "");
  return {
    kind: "stream",
    events: outputs(call, asked),
    ending: { name: "done", data: "{}" },
    toJson: () => ({ kind: "json", body: {}, tokens: 0 }),
  };
}

/** Lines of a dialogue name their speaker; the last of the user is the caller's text. */
function lastText(prompt: string): string {
  const said = prompt.split(/\n\n(?=(?:User|Assistant):)/).findLast((turn) => turn.startsWith("User: "));
  return said === undefined ? prompt : said.slice("User: ".length);
}

function* outputs({ behaviour, settings }: Call, { prompt, limit }: Asked): Generator<StreamEvent> {
  const output = (data: string): StreamEvent => ({ name: "output", data, part: "piece", tokens: 1 });
  for (const text of composeAnswer(lastText(prompt), limit, behaviour, settings.seed).pieces) yield output(text);
  if (behaviour.kind !== "endless") return;
  for (let position = 0; ; position += 1) yield output(fillerWord(position, settings.seed));
}

function listModels({ params: { slug = "" }, settings }: Call): Reply {
  const names = slug === "language-models" ? settings.models : ["flux-schnell"];
  const models = names.map((name) => ({ owner: "stub", name, description: "" }));
  return { kind: "json", body: { name: slug, slug, models }, tokens: 0 };
}
