import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { CREATED_AT_SECONDS, drawing } from "../../stub-kit/pictures/drawing.ts";
import { countField, objectField } from "../../stub-kit/json-fields.ts";
import { PIXEL } from "../../stub-kit/pictures/picture-store.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const draw = drawing({
  fields:
    "image size seed guidance_scale watermark response_format sequential_image_generation sequential_image_generation_options",
  count: (body) =>
    body["sequential_image_generation"] === "auto"
      ? (countField(objectField(body, "sequential_image_generation_options"), "max_images", 1) ?? 15)
      : 1,
  answer: (urls, { body: { model, response_format } }) => ({
    model,
    created: CREATED_AT_SECONDS,
    data: urls.map((url) => (response_format === "b64_json" ? { b64_json: PIXEL } : { url })),
    usage: { generated_images: urls.length, output_tokens: 16_384 * urls.length, total_tokens: 16_384 },
  }),
});

export const doubaoStub: Stub = {
  apis: [openAiApi({ at: "/api/v3", routes: { "POST /api/v3/images/generations": draw } })],
};
