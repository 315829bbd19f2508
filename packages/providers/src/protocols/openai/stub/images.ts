import { type Call, json, type Reply, streamEvent, type StreamEvent, streamOrJson } from "../../../stub-kit/call.ts";
import { isJsonObject, type JsonObject } from "../../../stub-kit/json-fields.ts";
import { PIXEL } from "../../../stub-kit/pictures/picture-store.ts";
import { countWords } from "../../../stub-kit/prompt.ts";
import { readModel } from "../../../stub-kit/read-model.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { usageField } from "../../../stub-kit/report-usage.ts";

const CREATED_AT_SECONDS = 1_715_367_049;
const TOKENS_OF_QUALITY: Readonly<Record<string, number>> = { low: 272, medium: 1_056, high: 4_160 };

/**
 * The behaviour's `pieces` is the number of pictures. GPT models return base64 and report tokens; others return URLs
 * unless base64 is requested.
 */
export function imageGenerations(call: Call): Reply {
  const model = readModel(call);
  const { body } = call;
  const { prompt } = body;
  if (typeof prompt !== "string" || prompt === "") refuse("Missing required parameter: 'prompt'.", { param: "prompt" });
  return answerImages(call, model, prompt, 0);
}

/** Accepts forms and, for edits, JSON. */
export function imageEdits(call: Call): Reply {
  const model = readModel(call);
  const { body } = call;
  const pictures = [body["image"], body["image[]"], body["images"]].flat().filter(isJsonObject).length;
  if (pictures === 0) refuse("Missing required parameter: 'image'.", { param: "image" });
  return answerImages(call, model, typeof body["prompt"] === "string" ? body["prompt"] : "", pictures);
}

function answerImages(call: Call, model: string, prompt: string, pictures: number): Reply {
  const { body, behaviour } = call;
  const isGpt = model.startsWith("gpt-image");
  const count = behaviour.pieces ?? (Number(body["n"] ?? 1) || 1);
  const tokensOfOne = TOKENS_OF_QUALITY[String(body["quality"])] ?? 1_056;
  const usageOf = (images: number) => {
    const details = { text_tokens: countWords(prompt), image_tokens: 323 * pictures };
    const input_tokens = details.text_tokens + details.image_tokens;
    const output_tokens = images * tokensOfOne;
    const total_tokens = input_tokens + output_tokens;
    const counted = { input_tokens, input_tokens_details: details, output_tokens, total_tokens };
    return isGpt ? usageField(counted, behaviour) : {};
  };
  const isBase64 = isGpt || body["response_format"] === "b64_json";
  const image = isBase64 ? { b64_json: PIXEL } : { url: "https://images.example/picture.png" };
  const data = Array.from({ length: count }, () => image);
  const kind = pictures === 0 ? "image_generation" : "image_edit";
  return streamOrJson(
    String(body["stream"]) === "true" && isGpt,
    () => json({ created: CREATED_AT_SECONDS, data, ...usageOf(count) }),
    { events: eventsOf(kind, Number(body["partial_images"] ?? 0), usageOf(1)) },
  );
}

function* eventsOf(kind: string, stages: number, usage: JsonObject): Generator<StreamEvent> {
  const about = { created_at: CREATED_AT_SECONDS, size: "1024x1024", quality: "medium", background: "opaque" };
  const picture = { b64_json: PIXEL, output_format: "png", ...about };
  const name = `${kind}.partial_image`;
  for (let index = 0; index < stages; index += 1)
    yield streamEvent("piece", { type: name, partial_image_index: index, ...picture }, { name, tokens: 0 });
  const done = `${kind}.completed`;
  yield streamEvent("finish", { type: done, ...picture, ...usage }, { name: done });
}
