import { reportUsage } from "../../../stub-kit/report-usage.ts";
import { readModel } from "../../../stub-kit/read-model.ts";
import { isJsonObject, type JsonObject } from "../../../stub-kit/json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";
import type { Call, Reply, StreamEvent } from "../../../stub-kit/call.ts";
import { PIXEL } from "../../../stub-kit/picture-store.ts";
import { countWords } from "../../../stub-kit/prompt.ts";

const CREATED_AT_SECONDS = 1_715_367_049;
const TOKENS_OF_QUALITY: Readonly<Record<string, number>> = { low: 272, medium: 1_056, high: 4_160 };

/**
 * The behaviour's `pieces` is the number of pictures. GPT models return base64 and report tokens; others return URLs
 * unless base64 is requested.
 */
export function imageGenerations(call: Call): Reply {
  const model = readModel(call);
  const { body } = call;
  const prompt = body["prompt"];
  if (typeof prompt !== "string" || prompt === "") {
    throw new RequestRefused(400, openAiErrorBody("Missing required parameter: 'prompt'.", { param: "prompt" }));
  }
  return answerImages(call, model, prompt, 0);
}

/** Accepts forms and, for edits, JSON. */
export function imageEdits(call: Call): Reply {
  const model = readModel(call);
  const { body } = call;
  const pictures = [body["image"], body["image[]"], body["images"]].flat().filter(isJsonObject).length;
  if (pictures === 0)
    throw new RequestRefused(400, openAiErrorBody("Missing required parameter: 'image'.", { param: "image" }));
  return answerImages(call, model, typeof body["prompt"] === "string" ? body["prompt"] : "", pictures);
}

/** `pictures` is the number of source pictures. */
function answerImages(call: Call, model: string, prompt: string, pictures: number): Reply {
  const { body, behaviour } = call;
  const isGpt = model.startsWith("gpt-image");
  const count = behaviour.pieces ?? (Number(body["n"] ?? 1) || 1);
  const tokensOfOne = TOKENS_OF_QUALITY[String(body["quality"])] ?? 1_056;
  const usageOf = (images: number) => {
    const input = { text_tokens: countWords(prompt), image_tokens: 323 * pictures };
    const counted = {
      input_tokens: input.text_tokens + input.image_tokens,
      input_tokens_details: input,
      output_tokens: images * tokensOfOne,
      total_tokens: input.text_tokens + input.image_tokens + images * tokensOfOne,
    };
    return isGpt ? reportUsage(counted, behaviour) : undefined;
  };
  const isLetters = isGpt || body["response_format"] === "b64_json";
  const image = isLetters ? { b64_json: PIXEL } : { url: "https://images.example/picture.png" };
  const usage = usageOf(count);
  const whole = {
    created: CREATED_AT_SECONDS,
    data: Array.from({ length: count }, () => image),
    ...(usage && { usage }),
  };
  const toJson = () => ({ kind: "json", body: whole, tokens: 0 }) as const;
  if (String(body["stream"]) !== "true" || !isGpt) return toJson();
  const kind = pictures === 0 ? "image_generation" : "image_edit";
  return { kind: "stream", events: eventsOf(kind, Number(body["partial_images"] ?? 0), usageOf(1)), toJson };
}

function* eventsOf(kind: string, stages: number, usage: JsonObject | undefined): Generator<StreamEvent> {
  const about = { created_at: CREATED_AT_SECONDS, size: "1024x1024", quality: "medium", background: "opaque" };
  const picture = { b64_json: PIXEL, output_format: "png", ...about };
  for (let index = 0; index < stages; index += 1) {
    const name = `${kind}.partial_image`;
    yield {
      name,
      data: JSON.stringify({ type: name, partial_image_index: index, ...picture }),
      part: "piece",
      tokens: 0,
    };
  }
  const name = `${kind}.completed`;
  yield { name, data: JSON.stringify({ type: name, ...picture, ...(usage && { usage }) }), part: "finish", tokens: 0 };
}
