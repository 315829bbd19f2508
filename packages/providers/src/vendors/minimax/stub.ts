import { chatCompletions } from "../../protocols/openai/stub/completions.ts";
import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { type Call, json, type Reply } from "../../stub-kit/call.ts";
import { vectorsOf } from "../../stub-kit/embedding-vector.ts";
import { countField, listField } from "../../stub-kit/json-fields.ts";
import { PIXEL, pictureUrls } from "../../stub-kit/pictures/picture-store.ts";
import { countInputTokens, inputTexts } from "../../stub-kit/prompt.ts";
import { readModel } from "../../stub-kit/read-model.ts";
import { errorsByStatus, refuse } from "../../stub-kit/refusal.ts";
import { reportUsage } from "../../stub-kit/report-usage.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const DIMENSIONS = 1_536;
const DONE = { base_resp: { status_code: 0, status_msg: "success" } } as const;
const PICTURE_FIELDS = new Set(
  "model prompt style aspect_ratio width height response_format seed n prompt_optimizer aigc_watermark subject_reference".split(
    " ",
  ),
);

/** API for pictures and embeddings, whose errors have status 200. Source: https://platform.minimax.io/docs/api-reference/errorcode */
export const miniMaxStub: Stub = {
  apis: [
    {
      routes: { "POST /v1/image_generation": makePictures, "POST /v1/embeddings": embed },
      writeError: errorsByStatus({ 400: 2013, 401: 1004, 402: 1008, 429: 1002 }, 1000, (status_code, status_msg) => ({
        base_resp: { status_code, status_msg },
      })),
      errorStatus: 200,
    },
    openAiApi({ routes: { "POST /v1/text/chatcompletion_v2": chatCompletions } }),
  ],
};

function refuseField(name: string): never {
  refuse(`invalid params, ${name}`);
}

function makePictures(call: Call): Reply {
  readModel(call);
  const { body, id } = call;
  const foreign = Object.keys(body).find((name) => !PICTURE_FIELDS.has(name));
  if (foreign !== undefined) refuseField(`unknown field ${foreign}`);
  const { prompt, response_format: form = "url" } = body;
  if (typeof prompt !== "string" || prompt === "" || prompt.length > 1_500) refuseField("prompt");
  const count = countField(body, "n", 1) ?? 1;
  if (count > 9) refuseField("n");
  for (const side of ["width", "height"].map((name) => countField(body, name, 1) ?? 512)) {
    if (side < 512 || side > 2_048 || side % 8 !== 0) refuseField("width and height");
  }
  const urls = pictureUrls(call, count);
  const data = form === "base64" ? { image_base64: urls.map(() => PIXEL) } : { image_urls: urls };
  return json({ id, data, metadata: { success_count: String(urls.length), failed_count: "0" }, ...DONE });
}

function embed(call: Call): Reply {
  readModel(call);
  const { body, behaviour } = call;
  const texts = inputTexts(listField(body, "texts"));
  if (texts.length === 0) refuseField("texts");
  if (body["type"] !== "db" && body["type"] !== "query") refuseField("type");
  const counted = reportUsage({ total_tokens: countInputTokens(body["texts"]) }, behaviour);
  return json({ vectors: vectorsOf(call, texts, DIMENSIONS), ...counted, ...DONE });
}
