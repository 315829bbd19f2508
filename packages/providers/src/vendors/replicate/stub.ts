import { type Call, faultlessJson, json, type Reply, type StreamEvent } from "../../stub-kit/call.ts";
import { composeAnswer, piecesOf } from "../../stub-kit/compose-answer.ts";
import { countField, isJsonObject, type JsonObject, objectField } from "../../stub-kit/json-fields.ts";
import { pictureUrls } from "../../stub-kit/pictures/picture-store.ts";
import { beginTask, cancelTask, isTask, lookAtTask } from "../../stub-kit/pictures/picture-tasks.ts";
import { countWords } from "../../stub-kit/prompt.ts";
import { refuse } from "../../stub-kit/refusal.ts";
import { reportUsage } from "../../stub-kit/report-usage.ts";
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
  if (!isJsonObject(asked)) refuse("The requested resource could not be found.", { status: 404 });
  return { prompt: String(asked["prompt"]), limit: countField(asked, "limit", 1), call: String(asked["call"]) };
}

function createPrediction(call: Call): Reply {
  const { params, body } = call;
  const input = objectField(body, "input");
  const { prompt } = input;
  const { owner, name } = params;
  if (typeof prompt !== "string") refuse("Input validation failed: - input: prompt is required", { status: 422 });
  if (name === undefined && typeof body["version"] !== "string") refuse("- version is required", { status: 422 });
  const model = name === undefined ? (String(body["version"]).split(":")[0] ?? "") : `${owner}/${name}`;
  const isPicture = PAINTERS.test(model);
  const limit = ["max_tokens", "max_completion_tokens", "max_output_tokens"]
    .map((field) => countField(input, field, 1))
    .find((value) => value !== undefined);
  const id = isPicture
    ? beginTask(call, countField(input, "num_outputs", 1) ?? 1)
    : idOf({ prompt, limit, call: call.id });
  const urls = { ...urlsOf(call, id), ...(!isPicture && { stream: `${call.base}/v1/streams/${id}` }) };
  return faultlessJson({ ...predictionOf(id, "starting"), model, input, urls }, 201);
}

function urlsOf({ base }: Call, id: string): object {
  const get = `${base}/v1/predictions/${id}`;
  return { get, cancel: `${get}/cancel` };
}

const STATUS_OF_STATE = { running: "processing", done: "succeeded", failed: "failed", cancelled: "canceled" } as const;

function getPainting(call: Call, id: string): Reply {
  const { state, count } = lookAtTask(id, call.behaviour);
  const made = pictureUrls(call, count);
  const more = {
    ...(state === "done" && { output: count === 1 ? made[0] : made }),
    ...(state === "failed" && { error: "The prompt was flagged." }),
  };
  return faultlessJson({ ...predictionOf(id, STATUS_OF_STATE[state]), ...more, urls: urlsOf(call, id) });
}

function predictionOf(id: string, status: string): JsonObject {
  return { id, status, version: "hidden", source: "api", data_removed: false, created_at: "2026-11-22T00:00:00Z" };
}

function cancelPrediction({ params: { id = "" } }: Call): Reply {
  if (isTask(id)) cancelTask(id);
  return faultlessJson(predictionOf(id, "canceled"));
}

function getPrediction(call: Call): Reply {
  const { id = "" } = call.params;
  if (isTask(id)) return getPainting(call, id);
  const asked = askedBy(id);
  const output = outputOf(call, asked);
  const counted = { input_token_count: countWords(asked.prompt), output_token_count: output.length };
  const metrics = { predict_time: 0.1, ...reportUsage(counted, call.behaviour) };
  return faultlessJson({ ...predictionOf(id, "succeeded"), output, metrics });
}

function stream(call: Call): Reply {
  const asked = askedBy(call.params["id"] ?? "");
  return {
    kind: "stream",
    events: outputs(call, asked),
    ending: { name: "done", data: "{}" },
    toJson: () => json({}),
  };
}

/** Lines of a dialogue name their speaker; the answer echoes the last of the user. */
function outputOf({ behaviour, settings }: Call, { prompt, limit }: Asked): readonly string[] {
  const said = prompt.split(/\n\n(?=(?:User|Assistant):)/).findLast((turn) => turn.startsWith("User: "));
  return composeAnswer(said?.slice("User: ".length) ?? prompt, limit, behaviour, settings.seed).pieces;
}

/** The data of an event is plain text. */
function* outputs(call: Call, asked: Asked): Generator<StreamEvent> {
  for (const data of piecesOf(call, outputOf(call, asked))) yield { name: "output", data, part: "piece", tokens: 1 };
}

function listModels({ params: { slug = "" }, settings }: Call): Reply {
  const names = slug === "language-models" ? settings.models : ["flux-schnell"];
  return json({ name: slug, slug, models: names.map((name) => ({ owner: "stub", name, description: "" })) });
}
