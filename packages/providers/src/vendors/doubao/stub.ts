import { CREATED_AT_SECONDS, readPrompt } from "../../protocols/openai/stub/picture-fields.ts";
import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { type Call, json, type Reply } from "../../stub-kit/call.ts";
import { countField, isJsonObject, type JsonObject } from "../../stub-kit/json-fields.ts";
import { PIXEL, pictureUrls } from "../../stub-kit/picture-store.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const PICTURE_FIELDS = [
  "image",
  "size",
  "seed",
  "guidance_scale",
  "watermark",
  "response_format",
  "sequential_image_generation",
  "sequential_image_generation_options",
];

export const doubaoStub: Stub = {
  apis: [openAiApi({ at: "/api/v3", routes: { "POST /api/v3/images/generations": makePictures } })],
};

/** Source: https://www.volcengine.com/docs/82379/1541523 */
function makePictures(call: Call): Reply {
  readPrompt(call, PICTURE_FIELDS);
  const { body } = call;
  const options = body["sequential_image_generation_options"];
  const most = isJsonObject(options) ? (countField(options, "max_images", 1) ?? 15) : 15;
  const urls = pictureUrls(call, body["sequential_image_generation"] === "auto" ? most : 1);
  const data = urls.map((url): JsonObject => (body["response_format"] === "b64_json" ? { b64_json: PIXEL } : { url }));
  const usage = { generated_images: urls.length, output_tokens: 16_384 * urls.length, total_tokens: 16_384 };
  return json({ model: body["model"], created: CREATED_AT_SECONDS, data, usage });
}
