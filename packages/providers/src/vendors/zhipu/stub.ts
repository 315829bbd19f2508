import { CREATED_AT_SECONDS, readPrompt } from "../../protocols/openai/stub/picture-fields.ts";
import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { type Call, json, type Reply } from "../../stub-kit/call.ts";
import { pictureUrls } from "../../stub-kit/picture-store.ts";
import type { Stub } from "../../stub-kit/stub.ts";

export const zhipuStub: Stub = {
  apis: [openAiApi({ at: "/api/paas/v4", routes: { "POST /api/paas/v4/images/generations": makePicture } })],
};

/** Source: https://docs.bigmodel.cn/api-reference/模型-api/图像生成 */
function makePicture(call: Call): Reply {
  readPrompt(call, ["size", "quality", "user_id", "watermark_enabled"]);
  const data = pictureUrls(call, 1).map((url) => ({ url }));
  return json({ created: CREATED_AT_SECONDS, data, content_filter: [] });
}
