import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { drawing } from "../../stub-kit/pictures/drawing.ts";
import { countField } from "../../stub-kit/json-fields.ts";
import { refuse } from "../../stub-kit/refusal.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const draw = drawing({
  fields: "image_size batch_size seed num_inference_steps guidance_scale cfg negative_prompt image image2 image3",
  count(body) {
    const count = countField(body, "batch_size", 1) ?? 1;
    return count > 4 ? refuse("batch_size must be at most 4") : count;
  },
  answer: (urls) => ({ images: urls.map((url) => ({ url })), timings: { inference: 1.2 }, seed: 7 }),
});

export const siliconFlowStub: Stub = { apis: [openAiApi({ routes: { "POST /v1/images/generations": draw } })] };
