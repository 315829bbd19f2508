import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { CREATED_AT_SECONDS, drawing } from "../../stub-kit/pictures/drawing.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const draw = drawing({
  fields: "size quality user_id watermark_enabled",
  answer: (urls) => ({ created: CREATED_AT_SECONDS, data: urls.map((url) => ({ url })), content_filter: [] }),
});

export const zhipuStub: Stub = {
  apis: [openAiApi({ at: "/api/paas/v4", routes: { "POST /api/paas/v4/images/generations": draw } })],
};
