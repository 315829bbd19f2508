import { countField, isJsonObject, type JsonObject } from "../../json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../refusal.ts";
import type { Call, Endpoint, Reply } from "../../reply.ts";
import { readModel } from "../generation.ts";
import { PIXEL, pictureUrls } from "./picture-store.ts";

const CREATED_AT_SECONDS = 1_762_000_000;

/** OpenAI's path for pictures where vendors have their own words at it. */
export const vendorImages = new Map<string, Endpoint>([
  ["POST /siliconflow/v1/images/generations", siliconFlowImages],
  ["POST /api/paas/v4/images/generations", zhipuImages],
  ["POST /api/v3/images/generations", seedreamImages],
  ["POST /v2/images/generations", baiduImages],
  ...["flux-1-schnell", "lucid-origin"].map((name): [string, Endpoint] => {
    const maker = name.startsWith("flux") ? "black-forest-labs" : "leonardo";
    return [`POST /client/v4/accounts/account/ai/run/@cf/${maker}/${name}`, cloudflareImages];
  }),
]);

/** The prompt; throws where a field is not the vendor's. */
function readPrompt(call: Call, fields: readonly string[]): string {
  readModel(call);
  return readPromptAlone(call, fields);
}

/** The same where the model stands in the path. */
function readPromptAlone({ body }: Call, fields: readonly string[]): string {
  const foreign = Object.keys(body).find((name) => name !== "model" && name !== "prompt" && !fields.includes(name));
  if (foreign !== undefined) refuse(`${foreign}: unknown parameter`);
  const { prompt } = body;
  return typeof prompt === "string" && prompt !== "" ? prompt : refuse("prompt is required");
}

function refuse(message: string): never {
  throw new RequestRefused(400, openAiErrorBody(message));
}

const SILICON_FLOW = [
  "image_size",
  "batch_size",
  "seed",
  "num_inference_steps",
  "guidance_scale",
  "cfg",
  "negative_prompt",
  "image",
  "image2",
  "image3",
];

/** Source: https://docs.siliconflow.cn/cn/api-reference/images/images-generations */
function siliconFlowImages(call: Call): Reply {
  readPrompt(call, SILICON_FLOW);
  const count = countField(call.body, "batch_size", 1) ?? 1;
  if (count > 4) refuse("batch_size must be at most 4");
  const images = pictureUrls(call, count).map((url) => ({ url }));
  return { kind: "json", body: { images, timings: { inference: 1.2 }, seed: 7 }, tokens: 0 };
}

/** Source: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/zm696hdfq */
function baiduImages(call: Call): Reply {
  readPrompt(call, ["refer_image", "user", "n", "size", "steps", "seed", "guidance"]);
  const count = countField(call.body, "n", 1) ?? 1;
  if (count > 4) refuse("n must be in [1, 4]");
  const data = pictureUrls(call, count).map((url) => ({ url }));
  return { kind: "json", body: { id: `as-${call.id}`, created: CREATED_AT_SECONDS, data }, tokens: 0 };
}

/** Source: https://developers.cloudflare.com/workers-ai/models/flux-1-schnell/ */
function cloudflareImages(call: Call): Reply {
  const isFlux = call.path.endsWith("flux-1-schnell");
  readPromptAlone(call, isFlux ? ["steps", "seed"] : ["steps", "num_steps", "guidance", "seed", "width", "height"]);
  return {
    kind: "json",
    body: { result: { image: PIXEL }, success: true, errors: [], messages: [] },
    tokens: 0,
  };
}

/** Source: https://docs.bigmodel.cn/api-reference/模型-api/图像生成 */
function zhipuImages(call: Call): Reply {
  readPrompt(call, ["size", "quality", "user_id", "watermark_enabled"]);
  const data = pictureUrls(call, 1).map((url) => ({ url }));
  return { kind: "json", body: { created: CREATED_AT_SECONDS, data, content_filter: [] }, tokens: 0 };
}

const SEEDREAM = [
  "image",
  "size",
  "seed",
  "guidance_scale",
  "watermark",
  "response_format",
  "sequential_image_generation",
  "sequential_image_generation_options",
];

/** Source: https://www.volcengine.com/docs/82379/1541523 */
function seedreamImages(call: Call): Reply {
  readPrompt(call, SEEDREAM);
  const { body } = call;
  const options = body["sequential_image_generation_options"];
  const most = isJsonObject(options) ? (countField(options, "max_images", 1) ?? 15) : 15;
  const urls = pictureUrls(call, body["sequential_image_generation"] === "auto" ? most : 1);
  const data = urls.map((url): JsonObject => (body["response_format"] === "b64_json" ? { b64_json: PIXEL } : { url }));
  const usage = { generated_images: urls.length, output_tokens: 16_384 * urls.length, total_tokens: 16_384 };
  return { kind: "json", body: { model: body["model"], created: CREATED_AT_SECONDS, data, usage }, tokens: 0 };
}
