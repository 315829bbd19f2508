import { readPrompt } from "../../protocols/openai/stub/picture-fields.ts";
import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { type Call, json, type Reply } from "../../stub-kit/call.ts";
import { countField } from "../../stub-kit/json-fields.ts";
import { pictureUrls } from "../../stub-kit/picture-store.ts";
import { openAiErrorBody, RequestRefused } from "../../stub-kit/refusal.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const PICTURE_FIELDS = [
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

export const siliconFlowStub: Stub = {
  apis: [openAiApi({ routes: { "POST /v1/images/generations": makePictures } })],
};

/** Source: https://docs.siliconflow.cn/cn/api-reference/images/images-generations */
function makePictures(call: Call): Reply {
  readPrompt(call, PICTURE_FIELDS);
  const count = countField(call.body, "batch_size", 1) ?? 1;
  if (count > 4) throw new RequestRefused(400, openAiErrorBody("batch_size must be at most 4"));
  const images = pictureUrls(call, count).map((url) => ({ url }));
  return json({ images, timings: { inference: 1.2 }, seed: 7 });
}
